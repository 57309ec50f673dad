import './v8-limits.js';

// Imports are loaded before any of them runs: the limits must stand before the rest of the program is even read.
await import('./serve.js');
