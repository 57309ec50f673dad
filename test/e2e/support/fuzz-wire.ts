import fc from 'fast-check';
import { ask } from './chat.js';
import { chatPath, headers, spoilt } from './fuzz-inputs.js';

const request = JSON.stringify(ask('When do you open?'));
const head = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const line = `POST ${chatPath} HTTP/1.1`;
const host = 'Host: a';
const type = 'Content-Type: application/json';
export const wire: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      head([line, host, type, `Content-Length: ${request.length + 500}`]) + request,
      head([line, host, type, `Content-Length: ${request.length - 5}`]) + request,
      head([line, host, type, 'Content-Length: -1']) + request,
      head([line, host, type, 'Content-Length: 99999999999999999999']) + request,
      head([line, host, type, 'Content-Length: 1e3']) + request,
      head([line, host, type, 'Content-Length: 5', 'Content-Length: 6']) + request,
      head([line, host, type, 'Content-Length: 5', 'Transfer-Encoding: chunked']) + request,
      head([line, host, type, 'Transfer-Encoding: chunked']) + 'zz\r\nhello\r\n0\r\n\r\n',
      head([line, host, type, 'Transfer-Encoding: chunked']) + 'ffffffffffffffffff\r\nhello',
      head([line, host, type, 'Transfer-Encoding: chunked']) + '5\r\nhel',
      head([line, host, type, 'Transfer-Encoding: gzip']) + request,
      head([line, host, type, 'Expect: 100-continue', `Content-Length: ${request.length}`]) + request,
      head([line, host, type, 'Expect: the-unexpected', `Content-Length: ${request.length}`]) + request,
      head([line, host, 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: x']),
      head([line, type, `Content-Length: ${request.length}`]) + request,
      head([line, host, `X-Large: ${'y'.repeat(70_000)}`]),
      head([line, host, ...Array.from({ length: 3_000 }, (_, at) => `X-${at}: 1`)]),
      head([line, host, 'No colon here']),
      head([line, host, 'X-Nul: a\u0000b']),
      head([line, host, ' folded: value']),
      head([line, host, 'X Space: 1']),
      head([`POST ${chatPath} HTTP/9.9`, host]),
      head([`POST ${chatPath}`]),
      head([`post ${chatPath} HTTP/1.1`, host]),
      head(['CONNECT example.com:443 HTTP/1.1', host]),
      head(['OPTIONS * HTTP/1.1', host]),
      head(['GET /a b HTTP/1.1', host]),
      head(['GET http://example.com/v1/models HTTP/1.1', host]),
      head([`GET /${'a'.repeat(70_000)} HTTP/1.1`, host]),
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      '*1\r\n$4\r\nPING\r\n',
      '\r\n\r\n\r\n',
      '',
    ),
  },
  {
    weight: 3,
    arbitrary: spoilt(
      headers.map(
        (some) =>
          head([
            line,
            host,
            ...Object.entries(some).map(([name, value]) => `${name}: ${value}`),
            `Content-Length: ${request.length}`,
          ]) + request,
      ),
    ).map((bytes) => bytes.toString('latin1')),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('latin1')) },
);
