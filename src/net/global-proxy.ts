/** Never proxied: this machine, and the IP addresses of cloud metadata services, which hand out credentials. */
const NO_PROXY_HOSTS = ['localhost', '127.0.0.1', '::1', '169.254.169.254', '169.254.170.2'];

/** Makes `fetch` and `http` requests (S3, analytics, the command line) use the proxies set in the environment. */
export async function useProxies(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const valueOf = (name: string) => env[name.toLowerCase()] || env[name];
  const [httpsProxy, httpProxy] = [valueOf('HTTPS_PROXY'), valueOf('HTTP_PROXY')];
  const given = [httpsProxy, httpProxy].filter((url) => url !== undefined);
  // Reading the configuration reports an invalid one.
  if (given.length === 0 || !given.every((url) => URL.canParse(url))) return;
  const { setGlobalProxyFromEnv } = await import('node:http');
  setGlobalProxyFromEnv({
    ...(httpsProxy ? { https_proxy: httpsProxy } : {}),
    ...(httpProxy ? { http_proxy: httpProxy } : {}),
    no_proxy: [valueOf('NO_PROXY'), ...NO_PROXY_HOSTS].filter(Boolean).join(','),
  });
}
