import assert from 'node:assert/strict';
import dns from 'node:dns';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { bucketLocation, openBucket, type Bucket } from '../../src/store/shared/bucket.ts';
import { sha256Of } from '../../src/store/testing.ts';
import { S3_KEY, S3_REGION, S3_SECRET, startVersitygw, withoutVersitygw } from './servers.ts';

/** Buckets of an S3 server that checks signatures and regions, and where their keys come from. */

const skip = withoutVersitygw();
if (skip) void test('versitygw as the label bucket', { skip });
else {
  const root = mkdtempSync(join(tmpdir(), 'monroney-s3-'));
  const s3 = await startVersitygw(root);
  after(async () => {
    await s3.stop();
    rmSync(root, { recursive: true });
  });

  async function roundTrip(bucket: Bucket): Promise<void> {
    const bytes = Buffer.from(`label ${Math.random()}`);
    const key = `labels/${sha256Of(bytes)}.pdf`;
    await bucket.probe();
    await bucket.put(key, bytes, sha256Of(bytes), 'application/pdf');
    assert.deepEqual(await bucket.get(key, bytes.length), bytes);
    assert.equal(await bucket.size(key), bytes.length);
    const listed = [];
    for await (const page of bucket.list('labels/')) listed.push(...page);
    assert.ok(listed.includes(key));
    await bucket.remove(key);
    assert.equal(await bucket.size(key), null);
  }

  void test('buckets are found by path and by host name', async (t) => {
    await roundTrip(openBucket(s3.url(`?region=${S3_REGION}&style=path`)));
    // The resolver may not know labels.localhost.
    const lookup = mock.method(dns, 'lookup', ((
      _: string,
      options: unknown,
      done: (...args: unknown[]) => void,
    ) =>
      (options as { all?: boolean }).all
        ? done(null, [{ address: '127.0.0.1', family: 4 }])
        : done(null, '127.0.0.1', 4)) as typeof dns.lookup);
    t.after(() => lookup.mock.restore());
    await roundTrip(openBucket(s3.url(`?region=${S3_REGION}&style=virtual`)));
    assert.ok(lookup.mock.calls.some(({ arguments: [host] }) => host === 'labels.localhost'));
  });

  void test('keys can be set in the environment', async (t) => {
    const env = { AWS_ACCESS_KEY_ID: S3_KEY, AWS_SECRET_ACCESS_KEY: S3_SECRET, AWS_REGION: S3_REGION };
    Object.assign(process.env, env);
    t.after(() => {
      for (const name of Object.keys(env)) delete process.env[name];
    });
    await roundTrip(openBucket(`s3+http://localhost:${s3.port}/labels`));
  });

  void test('the error names a missing bucket, a wrong key or a wrong region', async () => {
    const url = s3.url();
    const probe = (s3Url: string) => openBucket(s3Url).probe();
    await assert.rejects(probe(url.replace('/labels', '/nowhere')), /no bucket "nowhere" at localhost:\d+/);
    await assert.rejects(probe(url.replace(S3_SECRET, 'wrong')), /refuses the bucket "labels" \(Signature/);
    await assert.rejects(
      probe(url.replace(S3_KEY, 'nobody')),
      /refuses the bucket "labels" \(XAdminUserNotFound/,
    );
    await assert.rejects(probe(s3.url('?region=us-west-2')), /region|AuthorizationHeaderMalformed/i);
  });

  void test('keys from an instance role are requested once', async (t) => {
    const requests: string[] = [];
    const metadata = http.createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      if (request.method === 'PUT') return response.end('metadata-token');
      assert.equal(request.headers['x-aws-ec2-metadata-token'], 'metadata-token');
      if (request.url!.endsWith('/')) return response.end('monroney-role\n');
      const Expiration = '2100-01-01T00:00:00Z';
      return response.end(JSON.stringify({ AccessKeyId: S3_KEY, SecretAccessKey: S3_SECRET, Expiration }));
    });
    const env = { AWS_EC2_METADATA_SERVICE_ENDPOINT: await listen(metadata), AWS_REGION: S3_REGION };
    Object.assign(process.env, env);
    t.after(() => {
      metadata.close();
      for (const name of Object.keys(env)) delete process.env[name];
    });
    await roundTrip(openBucket(`s3+http://localhost:${s3.port}/labels`));
    assert.equal(requests.length, 3, 'the role is requested once');
    assert.ok(requests[2]!.endsWith('/security-credentials/monroney-role'));
  });
}

void test('the session token of a container role is part of the signature', async (t) => {
  const platform = http.createServer((request, response) => {
    assert.equal(request.headers.authorization, 'from-file');
    response.end(JSON.stringify({ AccessKeyId: 'AK', SecretAccessKey: 'SK', Token: 'session' }));
  });
  const folder = mkdtempSync(join(tmpdir(), 'monroney-token-'));
  const file = join(folder, 'token');
  writeFileSync(file, 'from-file\n');
  let receivedHeaders: http.IncomingHttpHeaders = {};
  const s3 = http.createServer((request, response) => {
    receivedHeaders = request.headers;
    response.end();
  });
  const env = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: await listen(platform),
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
  };
  Object.assign(process.env, env);
  t.after(() => {
    for (const server of [platform, s3]) server.close();
    for (const name of Object.keys(env)) delete process.env[name];
    rmSync(folder, { recursive: true });
  });
  await openBucket(`s3+${await listen(s3)}/labels`).probe();
  assert.equal(receivedHeaders['x-amz-security-token'], 'session');
  assert.match(receivedHeaders.authorization!, /Credential=AK\/.*SignedHeaders=[^,]*x-amz-security-token/);
});

void test('the region comes from the URL, AWS’s host name or AWS_REGION', () => {
  const region = (url: string, env = {}) => bucketLocation(url, env).region;
  assert.equal(region('s3+https://k:s@s3.eu-west-3.amazonaws.com/labels'), 'eu-west-3');
  assert.equal(region('s3+https://k:s@s3.eu-west-3.amazonaws.com/labels?region=eu-west-1'), 'eu-west-1');
  assert.equal(region('s3+https://k:s@minio/labels', { AWS_REGION: 'ca-central-1' }), 'ca-central-1');
  assert.equal(region('s3+https://k:s@minio/labels'), 'us-east-1');
  const aws = 's3+https://k:s@s3.us-gov-west-1.amazonaws.com/labels?style=virtual';
  assert.equal(bucketLocation(aws, {}).base, 'https://labels.s3.us-gov-west-1.amazonaws.com');
});

async function listen(server: http.Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
