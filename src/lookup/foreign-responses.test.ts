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

/** What was seen, its status and its body. */
const FOREIGN: readonly (readonly [name: string, status: number, body: string])[] = [
  ['nginx 400', 400, nginx('400 Bad Request')],
  ['nginx 403', 403, nginx('403 Forbidden')],
  ['nginx 405', 405, nginx('405 Not Allowed')],
  ['nginx 410', 410, nginx('410 Gone')],
  ['nginx 414', 414, nginx('414 Request-URI Too Large')],
  ['nginx 421', 421, nginx('421 Misdirected Request')],
  ['nginx 429', 429, nginx('429 Too Many Requests')],
  ['nginx 451', 451, nginx('451 Unavailable For Legal Reasons')],
  ['nginx 500', 500, nginx('500 Internal Server Error')],
  ['nginx 502', 502, nginx('502 Bad Gateway')],
  ['nginx 503', 503, nginx('503 Service Temporarily Unavailable')],
  ['nginx 504', 504, nginx('504 Gateway Time-out')],
  [
    'Apache 400',
    400,
    apache('400 Bad Request', 'Your browser sent a request that this server could not understand.'),
  ],
  ['Apache 403', 403, apache('403 Forbidden', "You don't have permission to access this resource.")],
  ['Apache 410', 410, apache('410 Gone', 'The requested resource is no longer available on this server.')],
  ['Apache 500', 500, apache('500 Internal Server Error', 'The server encountered an internal error.')],
  ['Apache 502', 502, apache('502 Proxy Error', 'DNS lookup failure for: origin. Host not found')],
  [
    'Apache 503',
    503,
    apache('503 Service Unavailable', 'The server is temporarily unable to service your request.'),
  ],
  [
    'IIS 400',
    400,
    '<HTML><HEAD><TITLE>Bad Request</TITLE></HEAD><BODY><h2>Bad Request - Invalid Hostname</h2></BODY></HTML>',
  ],
  [
    'IIS 503',
    503,
    '<HTML><HEAD><TITLE>Service Unavailable</TITLE></HEAD><BODY><h2>Service Unavailable</h2></BODY></HTML>',
  ],
  ['ASP.NET 200', 200, page('Runtime Error', "<H1>Server Error in '/' Application.<hr></H1>")],
  [
    'CloudFront 400',
    400,
    page(
      'ERROR: The request could not be satisfied',
      '<H1>400 ERROR</H1><H2>The request could not be satisfied.</H2>Bad request.',
    ),
  ],
  [
    'CloudFront 403',
    403,
    page('ERROR: The request could not be satisfied', '<H1>403 ERROR</H1>Request blocked.'),
  ],
  [
    'CloudFront 502',
    502,
    page(
      'ERROR: The request could not be satisfied',
      '<H1>502 ERROR</H1>CloudFront wasn’t able to resolve the origin domain name.',
    ),
  ],
  ['CloudFront 504', 504, page('ERROR: The request could not be satisfied', '<H1>504 ERROR</H1>')],
  [
    'Akamai 400',
    400,
    '<HTML><HEAD>\n<TITLE>Invalid URL</TITLE>\n</HEAD><BODY>\n<H1>Invalid URL</H1>\nThe requested URL "&#91;no&#32;URL&#93;", is invalid.<p>\n</BODY></HTML>\n',
  ],
  [
    'Akamai 403',
    403,
    '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1></BODY></HTML>\n',
  ],
  [
    'Akamai 404 without the title',
    404,
    '<HTML><HEAD><TITLE>Error</TITLE></HEAD><BODY>An error occurred while processing your request.<p>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;9&#46;1</BODY></HTML>',
  ],
  [
    'Akamai 503',
    503,
    '<HTML><HEAD><TITLE>Service Unavailable</TITLE></HEAD><BODY><H1>Service Unavailable - DNS failure</H1></BODY></HTML>',
  ],
  ['Cloudflare 409', 409, 'error code: 1001'],
  ['Cloudflare 530', 530, 'error code: 1016'],
  ['Cloudflare 522', 522, 'error code: 522'],
  [
    'Cloudflare JSON 409',
    409,
    '{"title":"Error 1001: DNS resolution error","status":409,"error_code":1001,"error_name":"dns_resolution_error"}',
  ],
  ['Cloudflare challenge 403', 403, page('Just a moment...', '')],
  ['Cloudflare challenge 200', 200, page('Just a moment...', '')],
  ['API Gateway 400', 400, '{"message":"Bad Request"}'],
  ['API Gateway 403', 403, '{"message":"Missing Authentication Token"}'],
  ['API Gateway 429', 429, '{"message":"Too Many Requests"}'],
  ['API Gateway 500', 500, '{"message":"Internal server error"}'],
  ['API Gateway 504', 504, '{"message":"Endpoint request timed out"}'],
  [
    'ALB 400',
    400,
    '<html>\r\n<head><title>400 Bad Request</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n</body>\r\n</html>\r\n',
  ],
  ['ALB 464', 464, ''],
  ['ALB 502', 502, '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body></body>\r\n</html>\r\n'],
  ['S3 bucket', 404, s3('NoSuchBucket', 'The specified bucket does not exist')],
  ['S3 403', 403, s3('AccessDenied', 'Access Denied')],
  ['S3 503', 503, s3('SlowDown', 'Please reduce your request rate.')],
  [
    'Azure Front Door 404',
    404,
    page(
      'Page not found',
      "<h2>Page not found</h2>Oops! We weren't able to find your Azure Front Door Service configuration.",
    ),
  ],
  [
    'Azure Front Door 503',
    503,
    page("Our services aren't available right now", '<h2>Our services aren’t available right now</h2>'),
  ],
  [
    'Azure App Service 403',
    403,
    page('Web App - Unavailable', '<h1>Error 403 - This web app is stopped.</h1>'),
  ],
  [
    'Azure App Service 404',
    404,
    page('Microsoft Azure App Service - Error 404', '<h1>404 Web Site not found.</h1>'),
  ],
  ['Azure API Management 200', 200, '{ "statusCode": 404, "message": "Resource not found" }'],
  ['Azure API Management 400', 400, '{ "statusCode": 404, "message": "Resource not found" }'],
  ['Squid 400', 400, page('ERROR: The requested URL could not be retrieved', '<h1>ERROR</h1>Invalid URL')],
  ['Squid 403', 403, page('ERROR: The requested URL could not be retrieved', '<h1>ERROR</h1>Access Denied.')],
  [
    'Squid 503',
    503,
    page(
      'ERROR: The requested URL could not be retrieved',
      '<h1>ERROR</h1>Unable to determine IP address from host name',
    ),
  ],
  [
    'Squid as 200',
    200,
    page(
      'ERROR: The requested URL could not be retrieved',
      '<h1>ERROR</h1>Name Error: The domain name does not exist.',
    ),
  ],
  [
    'Varnish 503',
    503,
    page('503 Backend fetch failed', '<h1>Error 503 Backend fetch failed</h1><h3>Guru Meditation:</h3>'),
  ],
  ['Varnish as 200', 200, page('503 Backend fetch failed', '<h1>Error 503 Backend fetch failed</h1>')],
  [
    'Fastly',
    500,
    'Fastly error: unknown domain: www.example.com. Please check that this domain has been added to a service.',
  ],
  ['Google 400', 400, page('Error 400 (Bad Request)!!1', '<p><b>400.</b> <ins>That’s an error.</ins>')],
  ['Google 502', 502, page('502 Server Error', '<h1>Error: Server Error</h1>')],
  ['Google load balancer', 404, 'default backend - 404'],
  [
    'Google load balancer with details',
    404,
    'response 404 (backend NotFound), service rules for the path non-existent: no route matched',
  ],
  [
    'HAProxy 400',
    400,
    '<html><body><h1>400 Bad request</h1>\nYour browser sent an invalid request.\n</body></html>\n',
  ],
  ['HAProxy 408', 408, '<html><body><h1>408 Request Time-out</h1>\n</body></html>\n'],
  [
    'HAProxy 503',
    503,
    '<html><body><h1>503 Service Unavailable</h1>\nNo server is available.\n</body></html>\n',
  ],
  ['Envoy 503', 503, 'no healthy upstream'],
  ['Envoy 503 reset', 503, 'upstream connect error or disconnect/reset before headers'],
  ['Kong 404', 404, '{"message":"no Route matched with those values"}'],
  ['Heroku 404', 404, page('No such app', '')],
  ['Vercel 404', 404, 'The deployment could not be found on Vercel.\n\nDEPLOYMENT_NOT_FOUND\n\niad1::abcde'],
  [
    'GitHub Pages 404',
    404,
    page('Site not found · GitHub Pages', "<p>There isn't a GitHub Pages site here.</p>"),
  ],
  ['a site under maintenance as 404', 404, page('Down for maintenance', '<h1>We will be back</h1>')],
  ['a proxy without DNS 400', 400, 'host not found'],
  ['a proxy without DNS 200', 200, 'Host not found'],
  ['a proxy without DNS 404', 404, 'Host not found'],
  ['a proxy without DNS, in a heading', 200, '<h1>Host not found</h1>'],
  ['a gateway with JSON 200', 200, '{"error":"upstream host not found"}'],
  ['a gateway with JSON 400', 400, '{"error":"Not Found"}'],
  ['a gateway with JSON 409', 409, '{"message":"Vehicle service not found"}'],
  ['a gateway without the key', 200, '{"error":"API key not found"}'],
  ['a gateway without the session', 200, '{"error":"Session not found"}'],
  ['a gateway with an error code', 200, '{"errorCode":1001,"errorMessage":"Backend timeout"}'],
  [
    'a framework without the route, 200',
    200,
    '{"message":"Route GET:/production/sticker/X not found","error":"No route","statusCode":404}',
  ],
  [
    'a framework without the path, 400',
    400,
    '{"statusCode":404,"message":"Cannot GET /new/X","error":"Not Found"}',
  ],
  [
    'Apigee',
    500,
    '{"fault":{"faultstring":"Unable to identify proxy for host: secure","detail":{"errorcode":"messaging.adaptors.http.flow.ApplicationNotFound"}}}',
  ],
  ['a firewall 202', 202, ''],
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
  ['a refusal as a redirect without a target', 302, 'not found'],
  ['a partial response', 206, '{"message":"Sticker not found"}'],
  ['an empty object', 200, '{}'],
  ['an empty list', 200, '[]'],
  ['null', 200, 'null'],
  ['OK', 200, 'OK'],
];

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
