const { isMainThread } = require('node:worker_threads');

/**
 * Preloaded into n8n. Standard input is a pipe from the process that started n8n. When it closes, that process has ended
 * and can no longer stop n8n, so n8n stops itself. (Worker threads have their own standard input, which ends at once.)
 */
if (isMainThread) {
	process.stdin.on('end', stop).on('error', stop).resume();
}

function stop() {
	process.kill(process.pid, 'SIGTERM');
}
