const { isMainThread } = require('node:worker_threads');

/**
 * Loaded into n8n before its own code. Standard input is a pipe held by the process that started n8n: when it closes,
 * that process is gone, however it went, and n8n has nobody left to stop it. (A worker thread has a standard input of
 * its own, which ends at once.)
 */
if (isMainThread) {
	process.stdin.on('end', stop).on('error', stop).resume();
}

function stop() {
	process.kill(process.pid, 'SIGTERM');
}
