import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { interruptedFailure } from '../failure/words';
import type { FailureKind } from '../failure/kinds';
import { GatewayFailure, toFailure } from '../failure/failure';
import { PROXY_SIGN_IN } from '../failure/statusWords';
import { readJson } from '../answer/answerReaders';
import { systemClock } from '../limiter/clock';
import { addressesOf } from './addresses';
import { attempt } from './attempt';
import {
	credentialHeaders,
	checkHeaderFields,
	redactorOf,
	requestsPerMinuteOf,
	type GatewayCredential,
} from './credential';
import { endpoints, urlsOf } from './endpoints';
import { compose, type Layer, sendingOf } from './layer';
import { readModels } from './lists';
import { AddressHealth, reach } from './reach';
import { Watch } from './timeLimits';
import { rawAnswerOf, type Exchange, type Unanswered } from './transport';
import { wiringOf } from './wiring';

/** The list of models, with a short time limit, because the dialog does not wait long. */
const MODELS = { ...endpoints.models, timeoutSeconds: 10 };
/** The part of that time in which a connection must be made, in milliseconds. */
const CONNECTION_LIMIT_MS = 5_000;

const CHECK_ADDRESS =
	'Check Base URL: enter the address of the API up to the part before /v1, for example https://gateway.example.com, not the address of the web console.';

/** Says what to do in the dialog of the credential, where it differs from what to do in a workflow. */
const ADVICE: Partial<Record<FailureKind, string>> = {
	authentication:
		'Enter API Key again. It may be mistyped, expired, or for a different gateway than the one in Base URL.',
	notFound: CHECK_ADDRESS,
	request: CHECK_ADDRESS,
	answer: CHECK_ADDRESS,
	interrupted: 'Check Base URL, and check that the gateway is running.',
	rateLimit: 'Wait a minute, then test again.',
	gateway: 'Check that the gateway is running, then test again.',
};

const NEEDS_TLS = ' If the gateway uses HTTPS, Base URL must start with https://.';

/**
 * The test of the credential: it requests the list of models. Each node offers it under `methods.credentialTest`,
 * because a test in the credential's own class could not put network errors into words.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const credential = (data ?? {}) as unknown as GatewayCredential;
	try {
		return { status: 'OK', message: `Connection successful. ${await findModels(this, credential)}` };
	} catch (error) {
		const { message, advice } = await redactorOf(credential).failure(inDialog(error, credential));
		const end = /[.!?…]$/.test(message) ? '' : '.';
		return { status: 'Error', message: `${message}${end} ${advice}` };
	}
}

/** @throws GatewayFailure (kind `settings`) when a field cannot be used in a workflow */
function checkFields(credential: GatewayCredential): void {
	checkHeaderFields(credential);
	wiringOf(credential);
	requestsPerMinuteOf(credential);
}

/** Fetches the list of models, if need be from the alternate address, like a workflow. @returns words about it */
async function findModels(context: ICredentialTestFunctions, credential: GatewayCredential): Promise<string> {
	const addresses = addressesOf(credential);
	checkFields(credential);
	const missed: string[] = [];
	const noting: Layer = (next) => async (sending, read) =>
		await next(sending, read).catch((error: unknown) => {
			const failure = toFailure(error);
			missed.push(failure.message);
			throw failure;
		});
	const send = compose(
		[reach(addresses, new AddressHealth(systemClock)), noting],
		attempt(
			{ clock: systemClock, watch: new Watch(systemClock), log: () => {} },
			exchangeOf(context, credential),
			addresses,
		),
	);
	const sending = sendingOf({ endpoint: MODELS }, urlsOf(MODELS, addresses));
	const { entries } = await send(sending, async (answer) => readModels(await readJson(answer)));
	const found = `Models that this key may use: ${entries.length}`;
	return missed.length === 0 ? found : `${found}. They came from Alternate Base URL: ${missed[0]}`;
}

/** Sends requests with the only helper that n8n offers to such a test. It follows no redirect, and knows no signal. */
function exchangeOf({ helpers }: ICredentialTestFunctions, credential: GatewayCredential): Exchange {
	return async ({ method, url, headers, idleTimeoutMs, signal }) => {
		const response = helpers.request({
			method,
			uri: url,
			headers: { ...headers, ...credentialHeaders(credential, url) },
			timeout: idleTimeoutMs,
			agentOptions: { timeout: CONNECTION_LIMIT_MS },
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			useStream: true,
		});
		const answer = Promise.resolve(response).then(rawAnswerOf, (thrown: unknown): Unanswered => ({ thrown }));
		const stopped = new Promise<Unanswered>((resolve) => {
			signal.addEventListener('abort', () => {
				resolve({ thrown: interruptedFailure('silence', {}) });
				// The answer may still arrive.
				void answer.then((late) => 'body' in late && late.body.destroy());
			});
		});
		return await Promise.race([answer, stopped]);
	};
}

function inDialog(error: unknown, { baseUrl }: GatewayCredential): GatewayFailure {
	const failure = toFailure(error);
	const { kind, message, advice: usual, facts } = failure;
	const isFromProxy = facts.status === PROXY_SIGN_IN;
	const advice = (isFromProxy ? undefined : ADVICE[kind]) ?? usual;
	const mayNeedTls = ['interrupted', 'request'].includes(kind) && /^\s*http:/i.test(baseUrl) && !isFromProxy;
	const words = advice + (mayNeedTls ? NEEDS_TLS : '');
	return new GatewayFailure(kind, message, words, facts);
}
