/** The type of the message that Jest sends to a worker whose tests have ended. */
const END = 2;

// Ends a worker at once. Jest waits half a second for a worker to exit, but timers that end by themselves, and freeing
// its heap, take longer on a busy machine. Only workers have a channel.
if (process.send)
	process.on('message', (message) => message?.[0] === END && process.kill(process.pid, 'SIGKILL'));
