/** OpenSSL's and Node's words for a certificate that we don't accept. */
const CODES =
  /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|CERT_|ERR_TLS_CERT_|INVALID_CA|HOSTNAME_MISMATCH)/;

/**
 * The error to end the start with when a server's certificate is not trusted, null when `error` is another one.
 * Only a start ends so: a certificate that expires while we run is trouble like any other.
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
