import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { interruptedFailure } from '../errors/errorMessages';
import { type FailureKind, GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { PROXY_SIGN_IN } from '../errors/statusFailure';
import { unreachableFailure, withoutAlternate } from '../errors/unreachableFailure';
import { failureOf, readFailedAnswer, readJson, type Answer } from '../answer/answerReaders';
import type { ByteStream } from '../answer/byteStream';
import type { ResponseHeaders } from '../answer/headers';
import { systemClock, type Clock } from '../limiter/clock';
import { addressesOf } from './addresses';
import {
	authenticationHeaders,
	checkHeaderFields,
	idempotencyHeaderOf,
	redactorOf,
	type GatewayCredential,
} from './credential';
import { endpoints, urlAt } from './endpoints';
import { readModels } from './lists';
import { explainTransportError, failureInside } from './transportError';

/** How long the dialog waits. */
const TIME_LIMIT_MS = 10_000;
/** How much of that it may take until there is a connection. */
const CONNECTION_LIMIT_MS = 5_000;

const CHECK_ADDRESS =
	'Check Base URL: enter the address of the API up to the part before /v1, for example https://gateway.example.com, not the address of the web console.';

/** What to do in the dialog of the credential, where it differs from what to do in a workflow. */
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
 * The test of the credential, which n8n runs when it is saved: it requests the list of models. Each node that names the
 * credential offers it under `methods.credentialTest`, because a test in the credential's own class could not put network
 * errors into words.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await resultOfTest(this, (data ?? {}) as unknown as GatewayCredential, systemClock);
}

/** The result of {@link testCredential}, which the dialog shows. It never throws. */
async function resultOfTest(
	context: ICredentialTestFunctions,
	credential: GatewayCredential,
	clock: Clock,
): Promise<INodeCredentialTestResult> {
	try {
		const found = await findModels(context, credential, clock);
		return { status: 'OK', message: `Connection successful. ${found}` };
	} catch (error) {
		const { message, description } = await redactorOf(credential).failure(inDialog(error, credential));
		const end = /[.!?…]$/.test(message) ? '' : '.';
		return { status: 'Error', message: `${message}${end} ${description}` };
	}
}

/** @returns what n8n shows of the models; like a workflow, it uses the alternate address if the other one cannot be reached */
async function findModels(
	context: ICredentialTestFunctions,
	credential: GatewayCredential,
	clock: Clock,
): Promise<string> {
	const { base, alternate } = addressesOf(credential);
	checkHeaderFields(credential);
	idempotencyHeaderOf(credential);
	const countAt = async (address: string) =>
		`Models that this key may use: ${await countModels(context, credential, address, clock)}`;
	try {
		return await countAt(base);
	} catch (error) {
		const failure = toFailure(error);
		if (!alternate || !['unreachable', 'interrupted'].includes(failure.kind)) throw failure;
		const found = await countAt(alternate).catch((other: unknown) => {
			throw withoutAlternate(failure, toFailure(other));
		});
		return `${found}. They came from Alternate Base URL: ${failure.message}`;
	}
}

async function countModels(
	context: ICredentialTestFunctions,
	credential: GatewayCredential,
	address: string,
	clock: Clock,
): Promise<number> {
	const url = urlAt(address, endpoints.models.path);
	const finished = new AbortController();
	let body: ByteStream | undefined;
	const listing = async () => {
		const answer = await send(context, credential, url);
		body = answer.body;
		if (finished.signal.aborted) body.destroy();
		return readModels(await readList(answer)).entries.length;
	};
	const timer = clock.sleep(TIME_LIMIT_MS, finished.signal).then(() => {
		throw interruptedFailure('silence', {});
	});
	try {
		return await Promise.race([listing(), timer]);
	} catch (error) {
		throw failureInside(error) ?? connectionFailure(error, url);
	} finally {
		finished.abort();
		body?.destroy();
	}
}

/** Requests the list without following a redirect, which could lead the key elsewhere. */
async function send(
	context: ICredentialTestFunctions,
	credential: GatewayCredential,
	url: string,
): Promise<Answer> {
	// The only way to send a request that n8n offers to such a test.
	const response = (await context.helpers.request({
		method: endpoints.models.method,
		uri: url,
		headers: { accept: '*/*', ...authenticationHeaders(credential, url) },
		timeout: TIME_LIMIT_MS,
		agentOptions: { timeout: CONNECTION_LIMIT_MS },
		followRedirect: false,
		simple: false,
		resolveWithFullResponse: true,
		useStream: true,
	})) as IN8nHttpFullResponse;
	const { statusCode: status, headers, body } = response;
	return { url, status, headers: headers as ResponseHeaders, body: body as ByteStream };
}

async function readList(answer: Answer): Promise<unknown> {
	if (answer.status < 200 || answer.status >= 300) {
		throw failureOf(await readFailedAnswer(answer), answer.url, {}, false);
	}
	return await readJson(answer);
}

function connectionFailure(error: unknown, url: string): GatewayFailure {
	const reason = explainTransportError(error, { isFree: true });
	if (reason.kind === 'notConnected') return unreachableFailure(url, reason, {});
	return interruptedFailure(reason.timedOut ? 'silence' : undefined, {});
}

/** A failure with the advice for the dialog instead of that for a workflow. */
function inDialog(error: unknown, { baseUrl }: GatewayCredential): GatewayFailure {
	const { kind, message, description, facts } = toFailure(error);
	const isFromProxy = facts.status === PROXY_SIGN_IN;
	const advice = isFromProxy ? description : (ADVICE[kind] ?? description);
	const mayNeedTls = ['interrupted', 'request'].includes(kind) && /^\s*http:/i.test(baseUrl) && !isFromProxy;
	const words = advice.replace(' Nothing was sent.', '') + (mayNeedTls ? NEEDS_TLS : '');
	return new GatewayFailure(kind, message, words, facts);
}
