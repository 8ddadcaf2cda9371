import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sources } from '../makers/index.ts';
import { outcomeOf } from '../../test/judge.ts';

/**
 * Responses of web servers, CDNs, gateways, proxies, firewalls and hosting platforms in front of a source. None of them
 * says that a car has no label. They are written after each product's wording, not recorded.
 */

const page = (title: string, body: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body>${body}</body></html>\n`;
const nginx = (line: string) =>
  `<html>\r\n<head><title>${line}</title></head>\r\n<body>\r\n<center><h1>${line}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
const apache = (line: string, text: string) =>
  `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>${line}</title>\n</head><body>\n<h1>${line.slice(4)}</h1>\n<p>${text}</p>\n</body></html>\n`;
const s3 = (code: string, message: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

/** What was seen, its status and its body. Only these statuses can mean "none" at any source. */
const FOREIGN: readonly (readonly [name: string, status: number, body: string])[] = [
  ['ASP.NET 200', 200, page('Runtime Error', "<H1>Server Error in '/' Application.<hr></H1>")],
  [
    'Akamai 404 without the title',
    404,
    '<HTML><HEAD><TITLE>Error</TITLE></HEAD><BODY>An error occurred while processing your request.<p>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;9&#46;1</BODY></HTML>',
  ],
  ['Cloudflare challenge 200', 200, page('Just a moment...', '')],
  ['S3 bucket', 404, s3('NoSuchBucket', 'The specified bucket does not exist')],
  [
    'Azure Front Door 404',
    404,
    page(
      'Page not found',
      "<h2>Page not found</h2>Oops! We weren't able to find your Azure Front Door Service configuration.",
    ),
  ],
  [
    'Azure App Service 404',
    404,
    page('Microsoft Azure App Service - Error 404', '<h1>404 Web Site not found.</h1>'),
  ],
  ['Azure API Management 200', 200, '{ "statusCode": 404, "message": "Resource not found" }'],
  [
    'Squid as 200',
    200,
    page(
      'ERROR: The requested URL could not be retrieved',
      '<h1>ERROR</h1>Name Error: The domain name does not exist.',
    ),
  ],
  ['Varnish as 200', 200, page('503 Backend fetch failed', '<h1>Error 503 Backend fetch failed</h1>')],
  ['Google load balancer', 404, 'default backend - 404'],
  [
    'Google load balancer with details',
    404,
    'response 404 (backend NotFound), service rules for the path non-existent: no route matched',
  ],
  ['Kong 404', 404, '{"message":"no Route matched with those values"}'],
  ['Heroku 404', 404, page('No such app', '')],
  ['Vercel 404', 404, 'The deployment could not be found on Vercel.\n\nDEPLOYMENT_NOT_FOUND\n\niad1::abcde'],
  [
    'GitHub Pages 404',
    404,
    page('Site not found · GitHub Pages', "<p>There isn't a GitHub Pages site here.</p>"),
  ],
  ['a site under maintenance as 404', 404, page('Down for maintenance', '<h1>We will be back</h1>')],
  ['a proxy without DNS 200', 200, 'Host not found'],
  ['a proxy without DNS 404', 404, 'Host not found'],
  ['a proxy without DNS, in a heading', 200, '<h1>Host not found</h1>'],
  ['a gateway with JSON 200', 200, '{"error":"upstream host not found"}'],
  ['a gateway without the key', 200, '{"error":"API key not found"}'],
  ['a gateway without the session', 200, '{"error":"Session not found"}'],
  ['a gateway with an error code', 200, '{"errorCode":1001,"errorMessage":"Backend timeout"}'],
  [
    'a framework without the route, 200',
    200,
    '{"message":"Route GET:/production/sticker/X not found","error":"No route","statusCode":404}',
  ],
  ['a firewall 200 with blanks', 200, ' \r\n'],
  ['a firewall 200', 200, page('Web Page Blocked!', '<h1>Web Page Blocked</h1>URL: www.subaru.com')],
  [
    'a firewall 200 without a heading',
    200,
    page('Notification', 'The page you have requested is not available. URL: www.subaru.com/services'),
  ],
  [
    'a captive portal',
    200,
    page('Welcome to Hotel WiFi', '<form>Accept the terms to continue to www.subaru.com</form>'),
  ],
  [
    'a captive portal that redirects by script',
    200,
    '<html><head><meta http-equiv="refresh" content="0;url=https://login.wifi.example/"></head></html>',
  ],
  ['a parked domain', 200, page('example.com', 'This domain is for sale')],
  ['the default page of nginx', 200, page('Welcome to nginx!', '<h1>Welcome to nginx!</h1>')],
  ['maintenance 200', 200, page('Subaru', '<h1>Scheduled maintenance</h1>')],
  [
    'maintenance 200, in other words',
    200,
    page('Subaru | We’ll be right back', '<p>Our site is being updated.</p>'),
  ],
  ['maintenance as text', 200, 'The window sticker service is down. Please check back later.'],
  ['maintenance as JSON', 200, '{"message":"Please check back later"}'],
  [
    'a page that was cut off',
    200,
    '<!DOCTYPE html><html><head><title>Subaru of America</title></head><body><div>',
  ],
  ['a page that was cut off in its head', 200, '<!DOCTYPE html><html><head><title>Subaru of Am'],
  [
    'JSON that was cut off',
    200,
    '{"errorCode":1001,"errorMessage":"No Window Sticker found for the requested VIN.',
  ],
  ['other JSON that was cut off', 200, '{"message":"Sticker not found'],
  ['an empty object', 200, '{}'],
  ['an empty list', 200, '[]'],
  ['null', 200, 'null'],
  ['OK', 200, 'OK'],
];

const OTHER_STATUSES = [
  201, 202, 204, 206, 301, 302, 400, 401, 403, 405, 407, 408, 409, 410, 414, 421, 429, 451, 464, 500, 502,
  503, 504, 522, 530,
];

test('with another status than 200 and 404, no text means none', async () => {
  const texts = [
    '',
    'Sticker not found',
    '{"message":"Not Found"}',
    '{"errorCode":1001,"errorMessage":"No Window Sticker found for the requested VIN."}',
    page('Subaru of America', ''),
    nginx('404 Not Found'),
  ];
  for (const { id } of sources)
    for (const status of OTHER_STATUSES)
      for (const text of texts)
        assert.match(
          await outcomeOf(id, text, { status }),
          /^(?:failed|refused) /,
          `${id} ${status} ${text}`,
        );
});

test('no response of a server in front of a source means none', async () => {
  for (const source of sources) {
    for (const [name, status, body] of FOREIGN) {
      const outcome = await outcomeOf(source.id, body, { status });
      assert.match(outcome, /^(?:failed|refused) /, `${name} at ${source.id}`);
    }
  }
});

test('an ordinary 404 is none only at sources known for it', async () => {
  const ordinary = [
    nginx('404 Not Found'),
    apache('404 Not Found', 'The requested URL was not found on this server.'),
    page('404 - File or directory not found.', '<h2>404 - File or directory not found.</h2>'),
    page('Error 404 (Not Found)!!1', '<p><b>404.</b> <ins>That’s an error.</ins>'),
    s3('NoSuchKey', 'The specified key does not exist.'),
    '{"message":"Not Found"}',
    '{"statusCode":404,"error":"Not Found","message":"Not Found"}',
    '404 page not found\n',
    'Not Found',
    '',
  ];
  for (const { id, notFound } of sources) {
    for (const body of ordinary)
      assert.match(
        await outcomeOf(id, body, { status: 404 }),
        notFound === 'none' ? /^none / : /^failed not-found$/,
        `${id}: ${body}`,
      );
  }
});
