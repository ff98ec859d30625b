import { lastLines } from './logs';
import { Problem } from './problem';
import { CommandFailure } from './processes';

/** Patterns in the output of npm and the compilers, with the problem to report; the first match wins. */
const causes: Array<{ pattern: RegExp; message: string; hint: string }> = [
	{
		pattern: /ENOSPC|no space left on device/i,
		message: 'The disk is full.',
		hint: "Free up some space (n8n needs about 3.5 GB, including npm's cache) and run npm start again.",
	},
	{
		pattern:
			/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ECONNRESET/,
		message: 'The npm registry cannot be reached.',
		hint: 'Check the network connection (behind a proxy: npm config set proxy ADDRESS) and run npm start again. Packages that were already downloaded are kept.',
	},
	{
		pattern: /SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY)|CERT_HAS_EXPIRED|CERT_UNTRUSTED/,
		message: 'This machine does not trust the certificate of the npm registry.',
		hint: 'On a company network, tell npm which certificate to trust (npm config set cafile FILE) and run npm start again.',
	},
	{
		pattern: /npm (?:error|ERR!) code (?:E401|E403|E404|ETARGET)\b/,
		message: 'The npm registry does not provide one of the packages of n8n.',
		hint: 'If npm uses a mirror (npm config get registry), check that the mirror is up to date, then run npm start again.',
	},
	{
		pattern: /EACCES|EPERM|EROFS/,
		message: 'npm has no permission to write a file or folder.',
		hint: "Check who owns the folder demo/ and npm's cache (npm config get cache), then run npm start again.",
	},
	{
		pattern: /gyp ERR!|prebuild-install/,
		message: 'The database driver could be neither downloaded nor built.',
		hint: 'Allow access to github.com, or install Python 3, make and a C++ compiler, then run npm start again.',
	},
];

/**
 * Turns a failed installation command into a {@link Problem} with the cause and the path of the full log; returns any
 * other failure unchanged.
 */
export function explainInstallFailure(failure: unknown): unknown {
	if (!(failure instanceof CommandFailure)) return failure;
	const cause = findCause(failure.log);
	const message = cause?.message ?? `Installing n8n failed:\n${lastLines(failure.log, 5)}`;
	const hint =
		cause?.hint ?? 'Run npm start again. If it fails at the same point, check the log for details.';
	return new Problem(message, `${hint}\nFull log: ${failure.logFile}`);
}

/** A failed build of the driver also logs the failed download before it, so network errors do not count then. */
function findCause(log: string) {
	const buildFailed = /gyp ERR!/.test(log);
	return causes.find(
		({ pattern }) => pattern.test(log) && !(buildFailed && pattern.source.startsWith('ENOTFOUND')),
	);
}
