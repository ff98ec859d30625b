import { explainInstallFailure } from '../../../tools/host/installFailure';
import { Problem } from '../../../tools/host/problem';
import { CommandFailure } from '../../../tools/host/processes';

describe('explainInstallFailure', () => {
	const explain = (log: string) =>
		explainInstallFailure(new CommandFailure('npm ci', log, 'the-log')) as Problem;

	it.each([
		['no network', 'npm error code EAI_AGAIN\nnpm error request failed', /registry cannot be reached/],
		['a full disk', 'npm error code ENOSPC\nnpm error nospc no space left on device, write', /disk is full/],
		[
			'a missing compiler',
			'prebuild-install warn install ENOTFOUND\ngyp ERR! find Python',
			/neither downloaded nor built/,
		],
		['an untrusted certificate', 'npm error code SELF_SIGNED_CERT_IN_CHAIN', /certificate/],
	])('explains %s', (_cause, log, message) => {
		const problem = explain(log);
		expect(problem).toBeInstanceOf(Problem);
		expect(problem.message).toMatch(message);
		expect(problem.hint).toContain('the-log');
	});

	it('includes the last lines of the log when the cause is unknown', () => {
		expect(explain('one\ntwo\nthree\nfour\nfive\nsix').message).toMatch(/\ntwo\nthree\nfour\nfive\nsix$/);
	});

	it('returns other failures unchanged', () => {
		const bug = new TypeError('a bug');
		expect(explainInstallFailure(bug)).toBe(bug);
	});
});
