import type { LiveReport } from '@reprise/semantic-cache';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { GateWatch, gateText } from './gate-watch.js';

const range = { low: 0.01, high: 0.04 };
const live = {
  budget: 0.05,
  gate: { version: 2, labels: 400, threshold: 0.2, bound: 0.03, breakerOpen: false, coldStartClosed: false },
  falseHits: { judged: 100, wrong: 2, share: 0.02, effective: 100, wilson: range, clopperPearson: range },
} as LiveReport;
const { threshold: _threshold, bound: _bound, ...shut } = live.gate;

describe('what is being learned', () => {
  it('is said with the measured share beside the budget', () => {
    expect(gateText(live)).toBe(
      'learned from 400 labels; gate open: risk up to 0.200, at most 3.00 % of it wrong\n' +
        '100 served reuses judged, 2 wrong: 2.00 % (1.00 % – 4.00 %), error budget 5.00 %\n',
    );
    expect(gateText({ ...live, gate: shut })).toContain('gate shut');
    expect(gateText({ ...live, gate: { ...live.gate, breakerOpen: true } })).toContain('breaker open');
  });

  it.each([
    ['of the namespace of the run', 'demo-1', 200, 'learned from 400'],
    ['not of another one', 'demo-2', 200, ''],
    ['not where it may not look', 'demo-1', 401, ''],
  ])('is read %s', async (_, namespace, status, text) => {
    const server = createServer((request, response) => {
      const body = request.url === '/admin/api/namespaces' ? { namespaces: ['other', 'acme:demo-1'] } : live;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const watch = new GateWatch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token', namespace);
    await watch.stop();
    server.close();
    expect(watch.text.slice(0, 16)).toBe(text);
  });
});
