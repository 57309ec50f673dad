// The demo upstream without latency, in a process of its own.
import { startDemoServer } from '@reprise/upstream';

const server = await startDemoServer(Number(process.argv[2]), { latency: { firstTokenMs: 0, tokensPerSecond: 0 } });
process.stdout.write(`ready ${server.url}\n`);
