/** What Jest sends a worker whose tests have ended. */
const END = 2;

// Jest waits half a second for a worker to exit. Timers that end by themselves and freeing its heap take longer on a busy
// machine. Only workers have a channel.
if (process.send)
	process.on('message', (message) => message?.[0] === END && process.kill(process.pid, 'SIGKILL'));
