import { Problem } from './problem';
import { CommandFailure } from './processes';

/** What npm and the compilers print, and what it means to the person who waits; the first that fits wins. */
const causes: Array<{ sign: RegExp; message: string; advice: string }> = [
	{
		sign: /ENOSPC|no space left on device/i,
		message: 'The disk is full.',
		advice: "Free some space (n8n needs about 3.5 GB, npm's cache included) and run npm start again.",
	},
	{
		sign: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ECONNRESET/,
		message: 'The package registry of npm cannot be reached.',
		advice:
			'Check the network connection (behind a proxy: npm config set proxy ADDRESS) and run npm start again. What was downloaded already is kept.',
	},
	{
		sign: /SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY)|CERT_HAS_EXPIRED|CERT_UNTRUSTED/,
		message: 'The certificate of the package registry is not trusted by this machine.',
		advice:
			'On a company network, point npm at its certificate (npm config set cafile FILE) and run npm start again.',
	},
	{
		sign: /npm (?:error|ERR!) code (?:E401|E403|E404|ETARGET)\b/,
		message: 'The package registry does not hand out one of the packages of n8n.',
		advice:
			'If npm is set to a mirror (npm config get registry), see whether that mirror is up to date, then run npm start again.',
	},
	{
		sign: /EACCES|EPERM|EROFS/,
		message: 'A file or folder may not be written.',
		advice:
			"See whose the folder demo/ and npm's cache are (npm config get cache), then run npm start again.",
	},
	{
		sign: /gyp ERR!|prebuild-install/,
		message: 'The database driver could be neither downloaded ready-made nor built here.',
		advice:
			'Allow access to github.com, or install Python 3, make and a C++ compiler, then run npm start again.',
	},
];

/**
 * Turns a failed installation command into a {@link Problem} that says why and where the whole log is; anything
 * else is returned as it is.
 */
export function explainInstallFailure(failure: unknown): unknown {
	if (!(failure instanceof CommandFailure)) return failure;
	const cause = findCause(failure.log);
	const lastLines = failure.log.trimEnd().split('\n').slice(-5).join('\n');
	const message = cause?.message ?? `Installing n8n did not work:\n${lastLines}`;
	const advice = cause?.advice ?? 'Run npm start again; if it stops at the same point, the log tells more.';
	return new Problem(message, `${advice}\nThe whole log: ${failure.logFile}`);
}

/** The driver's build also mentions the network it first tried, so a build that failed is judged as a build. */
function findCause(log: string) {
	const buildFailed = /gyp ERR!/.test(log);
	return causes.find(({ sign }) => sign.test(log) && !(buildFailed && sign.source.startsWith('ENOTFOUND')));
}
