import { answerFailure, cancelledFailure, DENIED } from '../../shared/failure/words';
import { toFailure, type GatewayFailure } from '../../shared/failure/failure';
import { SIMPLIFY } from '../../shared/fields/options';
import type { GatewayRequest } from '../../shared/send/layer';
import { isPublic } from '../../shared/send/lists';
import { runInGroups } from '../../batches/groups';
import type { Call } from '../../shared/run/call';
import {
	type BatchOperation,
	type LinkedResult,
	type OperationResult,
	toItem,
} from '../../shared/run/operation';
import { openSample, recommendationHint, type Sample } from '../samples';
import { voiceForm } from '../voiceForm';
import { createFields, readVoice, voiceKeyOf } from './create.fields';
import { deniesSuccess } from '../../shared/failure/errorBody';
import { type Answer, readJson, unusable } from '../../shared/answer/answerReaders';
import { asRecord, firstTextIn } from '../../shared/plain/values';

/** Creates voices from recordings (interface, 4.7). */
export const create: BatchOperation = {
	value: 'create',
	name: 'Create Voice Model',
	action: 'Create voice model',
	description: 'Create a voice from two or three recordings',
	isTool: false,
	fields: createFields,
	async runAll(calls) {
		const { results } = await runInGroups(calls, {
			read: (call) => ({ call, key: voiceKeyOf(call) }),
			keyOf: ({ key }) => key,
			run: async (group) => [await createFrom(group.map(({ call }) => call))],
		});
		return results;
	},
};

async function createFrom(calls: Call[]): Promise<LinkedResult> {
	const from = calls.length === 1 ? calls[0].itemIndex : calls.map(({ itemIndex }) => itemIndex);
	try {
		return { from, ...(await resultOf(calls)) };
	} catch (error) {
		return { from, failure: toFailure(error) };
	}
}

async function resultOf(calls: Call[]): Promise<OperationResult> {
	const [call] = calls;
	const voice = readVoice(calls);
	const isSimple = call.flag(SIMPLIFY);
	// Reading the recordings takes long, and nothing would be sent any more.
	if (call.signal?.aborted) throw cancelledFailure({ attempts: 0 });
	const samples: Sample[] = [];
	for (const input of voice.samples) samples.push(await openSample(call.context, input));

	const items = calls.map(({ itemIndex }) => itemIndex);
	const request: GatewayRequest = {
		...call.requestOptions,
		endpoint: voice.endpoint,
		body: voiceForm(voice, samples),
		// A large upload may take longer than the time limit, as long as it makes progress.
		streamed: 'file',
	};
	const paid = call.payments.send(items, request, readCreatedVoice);
	const { value } = await paid.catch((error: unknown) => {
		throw creationFailure(toFailure(error), voice.name);
	});
	const { name, fields, answer } = value;
	for (const sample of samples) call.hint(recommendationHint(sample));
	if (!isSimple) return { json: toItem(answer) };
	const seconds = samples.reduce((sum, sample) => sum + sample.seconds, 0);
	return {
		json: {
			name,
			// If the gateway does not report it, it is the value that was sent.
			public: fields.public === undefined || fields.public === null ? voice.isPublic : isPublic(fields),
			samples: samples.length,
			sampleSeconds: Math.round(seconds * 100) / 100,
			description: typeof fields.description === 'string' ? fields.description : undefined,
		},
	};
}

/** Reads the answer to a created voice, which some gateways wrap. */
async function readCreatedVoice(response: Answer) {
	const body = await readJson(response);
	if (deniesSuccess(body)) throw unusable(answerFailure(DENIED), body);
	for (const fields of [asRecord(body), asRecord(asRecord(body)?.data)]) {
		const name = firstTextIn(fields, ['model_name', 'name']);
		if (fields && name !== undefined) return { name, fields, answer: body };
	}
	throw unusable(answerFailure('the field "model_name" is missing'), body);
}

/** Adds advice to the failure of a request after which the voice may exist: how to find out whether it does. */
function creationFailure(failure: GatewayFailure, name: string): GatewayFailure {
	const { message, facts, isFree } = failure;
	if (isFree) return failure;
	const { attempts = 1 } = facts;
	const notAgain =
		attempts > 1
			? ''
			: ' The recordings were not sent a second time, because that could create the voice twice.';
	return failure.saying(
		{
			message: `${message}. The voice “${name}” may have been created`,
			advice: `Check the voice list before you run this item again (Get Many, with “${name}” as Filter). If the voice is there, use it. If not, run the item again.${notAgain}`,
		},
		{ partial: { ...facts.partial, name } },
	);
}
