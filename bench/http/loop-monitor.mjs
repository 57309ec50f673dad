// Preloaded into the gateway (`--import`): for how long its event loop stood still at most, asked for over IPC. The
// gateway's own metric looks every 10 ms only and counts those 10 ms as part of every gap.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', () => {
  process.send?.(delay.max / 1e6);
  delay.reset();
});
process.channel?.unref();
