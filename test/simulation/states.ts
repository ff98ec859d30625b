import type { Exchange } from './exchange';
import { isFailed, messageOf } from './items';
import type { History, Try } from './simulate';

type InHistory = (history: History) => boolean;

/** Returns a condition that some exchange of a world must meet. */
const exchange =
	(condition: (one: Exchange, history: History) => boolean): InHistory =>
	(history) =>
		history.gateway.exchanges.some((one) => condition(one, history));

/** Returns a condition that some try of a world must meet. */
const oneTry =
	(condition: (one: Try, history: History) => boolean): InHistory =>
	(history) =>
		history.tries.some((one) => condition(one, history));

type OfTwo = (earlier: Exchange, later: Exchange) => boolean;

/** Returns a condition that some request must meet together with an earlier one. */
const after = (condition: OfTwo): InHistory =>
	exchange((later, { gateway }) =>
		gateway.exchanges.slice(0, later.number).some((earlier) => condition(earlier, later)),
	);

/** Returns a condition that some request must meet together with an earlier one for the same thing. */
const repeated = (condition: OfTwo) =>
	after(
		(earlier, later) => later.units.some((unit) => earlier.units.includes(unit)) && condition(earlier, later),
	);

const isSameTry = (earlier: Exchange, later: Exchange) =>
	earlier.execution === later.execution && earlier.tryNumber === later.tryNumber;
const isRetry = (earlier: Exchange, later: Exchange) => earlier.execution < later.execution;
const said = (words: RegExp) =>
	oneTry(({ error, output = [] }) => words.test([error?.message, ...messages(output)].join('\n')));
const messages = (output: NonNullable<Try['output']>) => output.filter(isFailed).map(messageOf);
/** Returns a condition that is met by an interference while a request of this stage was in progress. */
const interfered = (what: string[], stage: Exchange['stage']): InHistory =>
	oneTry(
		({ interference, execution, interrupted }) =>
			what.includes(interference ?? '') &&
			interrupted.some((one) => one.stage === stage && one.execution === execution),
	);
const reuses = (condition: (one: Try) => boolean) =>
	oneTry((one) => condition(one) && one.hints.some((hint) => hint.includes('Reused paid results')));

/** States that at least one world must reach. Otherwise, the simulation proves nothing about them. */
export const states: Record<string, InHistory> = {
	'a world in which nothing goes wrong': ({ gateway, tries }) =>
		tries.length === 1 &&
		gateway.exchanges.every(({ fault, standing }) => !fault && standing === 'delivered'),
	'more than 100 items': ({ world }) => world.rows > 100,
	'sent again after 429': repeated((earlier, later) => earlier.status === 429 && isSameTry(earlier, later)),
	'sent again after 429 inside status 200': repeated(
		({ fault, standing, status }, later) =>
			fault?.kind === 'errorInside' && standing === 'free' && status === 200 && later.isPaid,
	),
	'sent again after 500 with an error object': repeated(
		(earlier, later) => earlier.status === 500 && earlier.standing === 'free' && isSameTry(earlier, later),
	),
	'a limit of the gateway': exchange(({ fault, status }) => status === 429 && !fault),
	'a wait of more than ten minutes asked for': exchange(
		({ fault }) => fault?.kind === 'status' && (fault.retryAfterMs ?? 0) > 600_000,
	),
	'the second address after the first one': repeated(
		(earlier, later) =>
			earlier.url.includes('gateway.example') && later.url.includes('second.example') && later.isPaid,
	),
	'both addresses dead': said(/second\.example|alternate/i),
	'unclear, and paid for': exchange(({ standing, isPaid }) => standing === 'unclear' && isPaid),
	'unclear, and sent again by Retry': repeated(
		(earlier, later) => earlier.standing === 'unclear' && isRetry(earlier, later),
	),
	'unclear, and not sent again by Retry On Fail': oneTry(
		({ tryNumber, error }) =>
			tryNumber > 0 && /lost before|did not respond|in time|stopped/.test(error?.message ?? ''),
	),
	'unclear, and sent again as the option says': repeated(
		(earlier, later) => earlier.standing === 'unclear' && isSameTry(earlier, later) && !later.idempotencyKey,
	),
	'an answer for a repeated idempotency key': repeated(
		(earlier, later) => earlier.isPaid && !later.isPaid && later.standing === 'delivered',
	),
	'an answer that cannot be used': exchange(({ standing }) => standing === 'unusable'),
	'an answer that is cut off': exchange(({ fault, sent }) => fault?.kind === 'cut' && sent.length > 0),
	'an answer that stops': exchange(({ fault, sent }) => fault?.kind === 'stall' && sent.length > 0),
	'a time limit exceeded': exchange(({ fault }) => fault?.kind === 'silence'),
	'a file that is late': exchange(({ stage, status }) => stage === 'file' && status === 404),
	'a download that fails': said(/could not be downloaded/),
	'a file that n8n cannot save': said(/could not save/),
	'a song still polled after a failed poll': after(
		(earlier, later) =>
			[earlier, later].every(({ stage }) => stage === 'poll') &&
			earlier.rows[0] === later.rows[0] &&
			earlier.standing !== 'delivered' &&
			later.standing === 'delivered',
	),
	'a song that fails at the vendor': exchange(
		({ failedSong, standing }) => failedSong !== undefined && standing === 'delivered',
	),
	'a song submitted again that has failed at the vendor': repeated(
		(earlier, later) => earlier.standing === 'unusable' && later.isPaid && later.url.includes('/v1/music/'),
	),
	'a song not submitted again by Retry On Fail that has failed at the vendor': oneTry(
		({ tryNumber, error, output = [] }) =>
			tryNumber > 0 && /finish the task/.test([error?.message, ...messages(output)].join()),
	),
	'results reused by Retry': reuses(({ tryNumber }) => tryNumber === 0),
	'results reused by Retry On Fail': reuses(({ tryNumber }) => tryNumber > 0),
	'all but some results reused': oneTry(
		({ isFinal, execution }, { gateway, world }) =>
			isFinal && gateway.exchanges.some((one) => one.execution === execution) && world.rows > 3,
	),
	'a batch that is divided': ({ gateway, subject }) =>
		subject.isShared &&
		gateway.exchanges.some(({ url, units }) => url.includes('/v1/') && units.length === 1),
	'a part of a long text that is missing': said(/Part \d+ of \d+/),
	'Max Requests reached': said(/Max Requests/),
	'Max Total Tokens reached': said(/Max Total Tokens \(/),
	'Max Cost reached': said(/Max Cost \(/),
	'Max Total Tokens cannot be kept': said(/Max Total Tokens cannot/),
	'Max Cost cannot be kept after an answer that reports one': ({ world, ...history }) =>
		(world.reporting?.every ?? 0) > 0 && said(/Max Cost cannot/)({ world, ...history }),
	'sent again after a limit with another status': repeated(
		({ fault, status, standing }, later) =>
			fault?.kind === 'status' &&
			fault.status === 429 &&
			status !== null &&
			status !== 429 &&
			standing === 'free' &&
			later.isPaid,
	),
	'a redirect to another host that is followed': exchange(({ url }) => url.includes('//elsewhere.example/')),
	'a redirect to another host that is not followed': exchange(
		({ fault, method }) => fault?.kind === 'redirect' && fault.to === 'elsewhere' && method === 'POST',
	),
	'a text that is edited before a Retry': ({ world, tries }) =>
		tries.some(({ execution }) => execution >= (world.editedFrom ?? Infinity)),
	'an item that has used a tool': exchange(
		({ sent, rows }, { subject, gateway }) =>
			subject.hasTool &&
			sent.length > 0 &&
			gateway.exchanges.filter((one) => one.rows[0] === rows[0]).length > 1,
	),
	'a failed item next to others': oneTry(({ output = [] }) => {
		const failed = output.filter(isFailed).length;
		return failed > 0 && failed < output.length;
	}),
	'stopped while a paid request is in progress': interfered(['stop', 'timeout'], 'paid'),
	'stopped while polling': interfered(['stop', 'timeout'], 'poll'),
	'stopped while downloading': interfered(['stop', 'timeout'], 'file'),
	'stopped while nothing is in progress': oneTry(
		({ interference, interrupted }) => interference !== undefined && interrupted.length === 0,
	),
	'killed while a paid request is in progress': interfered(['kill'], 'paid'),
	'killed while downloading': interfered(['kill'], 'file'),
	'a paid result named in the log of a stop': oneTry(({ log }) =>
		log.some((line) => line.includes('Finished and paid for')),
	),
	'the key in an error of the gateway': exchange(
		({ fault, status }) => fault?.kind === 'status' && fault.body === 'echo' && status !== null,
	),
};
