import { readFileSync } from 'node:fs';
import { inMemorySingleFlight } from '../../lib/promises.ts';
import { StoreUnavailable } from '../store.ts';

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Temporary keys are replaced this long before they expire. */
const RENEW_BEFORE_MS = 5 * 60_000;
const TIMEOUT_MS = 2000;
const CONTAINER_HOST = 'http://169.254.170.2';
const INSTANCE_HOST = 'http://169.254.169.254';

/**
 * Where the keys come from when `S3_URL` has none, in the order AWS's own tools use: the environment, the container's
 * role (ECS, EKS Pod Identity), the machine's role (EC2). Temporary keys are cached until shortly before they expire.
 */
export function s3Credentials(url: URL, env: Env = process.env): () => Promise<Credentials> {
  if (url.username) {
    const fixed = {
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    };
    return () => Promise.resolve(fixed);
  }
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId && secretAccessKey) {
    const sessionToken = env.AWS_SESSION_TOKEN;
    const fixed = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
    return () => Promise.resolve(fixed);
  }
  let current: Temporary | null = null;
  // Requests that need new keys at the same time share one fetch.
  const renewals = inMemorySingleFlight();
  return async () => {
    const validMs = current ? current.expires - Date.now() : 0;
    if (validMs <= RENEW_BEFORE_MS) {
      const renewal = renewals.once('keys', async () => (current = await fetchTemporary(env)));
      // Nobody waits for new keys while the old ones are valid: the role may not respond.
      if (validMs > 0) renewal.catch(() => {});
      else await renewal;
    }
    return current!.credentials;
  };
}

interface Temporary {
  credentials: Credentials;
  expires: number;
}

async function fetchTemporary(env: Env): Promise<Temporary> {
  try {
    return parse(await (container(env) ?? instance(env)));
  } catch (error) {
    throw new StoreUnavailable(
      'S3_URL has no keys, the environment has no AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and no role is available: ' +
        (error as Error).message,
      { cause: error },
    );
  }
}

function container(env: Env): Promise<string> | null {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } = env;
  if (!relative && !full) return null;
  const file = env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE;
  // Read each time, because the platform replaces it.
  const token = file ? readFileSync(file, 'utf8').trim() : env.AWS_CONTAINER_AUTHORIZATION_TOKEN;
  return text(relative ? CONTAINER_HOST + relative : full!, token ? { authorization: token } : {});
}

async function instance(env: Env): Promise<string> {
  const host = env.AWS_EC2_METADATA_SERVICE_ENDPOINT?.replace(/\/$/, '') || INSTANCE_HOST;
  const lifetime = { 'x-aws-ec2-metadata-token-ttl-seconds': '300' };
  const token = await text(`${host}/latest/api/token`, lifetime, 'PUT');
  const headers = { 'x-aws-ec2-metadata-token': token };
  const roles = `${host}/latest/meta-data/iam/security-credentials/`;
  const [role] = (await text(roles, headers)).split('\n');
  return text(roles + role!.trim(), headers);
}

async function text(url: string, headers: Record<string, string>, method = 'GET'): Promise<string> {
  const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body = await response.text();
  if (!response.ok) throw new Error(`${new URL(url).host} responded with ${response.status}`);
  return body;
}

function parse(json: string): Temporary {
  const document = JSON.parse(json) as Record<string, string | undefined>;
  if (!document.AccessKeyId || !document.SecretAccessKey) throw new Error('the role has no keys');
  return {
    credentials: {
      accessKeyId: document.AccessKeyId,
      secretAccessKey: document.SecretAccessKey,
      ...(document.Token ? { sessionToken: document.Token } : {}),
    },
    expires: document.Expiration ? Date.parse(document.Expiration) : Infinity,
  };
}
