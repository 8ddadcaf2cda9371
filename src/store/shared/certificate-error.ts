/** Error codes of OpenSSL and Node for a certificate that isn't trusted. */
const CODES =
  /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|CERT_|ERR_TLS_CERT_|INVALID_CA|HOSTNAME_MISMATCH)/;

/**
 * A readable error when a server's certificate isn't trusted; null when `error` is another one. Used only at startup: a
 * certificate that expires later is handled like any other failure.
 */
export function certificateError(variable: string, error: unknown, fix = ''): Error | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code, message } = each as NodeJS.ErrnoException;
    if (!code || !CODES.test(code)) continue;
    return new Error(
      `${variable}: the server's certificate isn't trusted (${message}). ` +
        `Name the file of its certificate authority ${fix}in NODE_EXTRA_CA_CERTS.`,
      { cause: error },
    );
  }
  return null;
}
