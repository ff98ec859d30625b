// Jest waits half a second for a worker to exit, which freeing its heap takes on a busy machine. Only workers have a channel.
if (process.send) process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
