// Preloaded (node --import) into the services that `bin/reprise up` starts: when the starter is gone, however it went, the
// pipe it holds closes, and the service stops as on SIGTERM instead of living on unseen.
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const GRACE_MS = 15_000;
const fd = Number(process.env['REPRISE_ROPE_FD']);

if (isMainThread && fd > 0) {
  delete process.env['REPRISE_ROPE_FD'];
  const rope = new Socket({ fd, readable: true, writable: false });
  rope.on('error', () => {});
  rope.once('close', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
  });
  rope.resume();
  // Neither keeps the service alive nor is waited for.
  rope.unref();
}
