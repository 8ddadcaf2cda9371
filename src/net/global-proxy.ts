/** What nobody reaches through a proxy: this machine, and the addresses where clouds keep credentials. */
const NEVER = ['localhost', '127.0.0.1', '::1', '169.254.169.254', '169.254.170.2'];

/** Makes `fetch` and plain requests (S3, analytics, the command's own) use the proxies of the environment. */
export async function useProxies(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const of = (name: string) => env[name.toLowerCase()] || env[name];
  const [httpsProxy, httpProxy] = [of('HTTPS_PROXY'), of('HTTP_PROXY')];
  const given = [httpsProxy, httpProxy].filter((url) => url !== undefined);
  // A bad one is named when the configuration is read.
  if (given.length === 0 || !given.every((url) => URL.canParse(url))) return;
  const { setGlobalProxyFromEnv } = await import('node:http');
  setGlobalProxyFromEnv({
    ...(httpsProxy ? { https_proxy: httpsProxy } : {}),
    ...(httpProxy ? { http_proxy: httpProxy } : {}),
    no_proxy: [of('NO_PROXY'), ...NEVER].filter(Boolean).join(','),
  });
}
