import type { IDataObject } from 'n8n-workflow';
import { checkAnswer } from '../../shared/http/checkAnswer';
import { endpoints } from '../../shared/gateway/endpoints';
import { toFailure } from '../../shared/errors/gatewayFailure';
import type { Call } from '../../shared/runtime/call';
import type { BatchOperation, LinkedResult, OperationResult } from '../../shared/runtime/operation';
import { runPool } from '../../shared/runtime/pool';
import { isPublic } from '../../shared/gateway/voices';
import { voiceModelSchema } from '../voiceModelSchema';
import { creationFailure } from '../creationFailure';
import { adviceOn, openSample, type Sample } from '../samples';
import { voiceForm } from '../voiceForm';
import { checkVoice, groupCalls, readVoice, type VoiceRequest } from '../voiceRequest';
import { createFields } from './create.fields';

/** Creates voices from recordings (interface, 4.7). */
export const create: BatchOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create voice model',
	description: 'Create a voice from two or three recordings',
	fields: createFields,
	async runAll(calls) {
		const groups = groupCalls(calls);
		const results: LinkedResult[] = [];
		const [{ context, maxConcurrency, signal }] = calls;
		let stopped = false;
		await runPool(
			groups.length,
			maxConcurrency,
			async (index) => {
				results[index] = await createFrom(groups[index]);
				stopped ||= 'failure' in results[index] && !context.continueOnFail();
			},
			() => !stopped && !signal?.aborted,
		);
		// Voices that were not begun leave holes.
		return results.flat();
	},
};

async function createFrom(calls: Call[]): Promise<LinkedResult> {
	const from = calls.length === 1 ? calls[0].itemIndex : calls.map(({ itemIndex }) => itemIndex);
	try {
		return { from, result: await createVoice(calls) };
	} catch (error) {
		return { from, failure: toFailure(error) };
	}
}

async function createVoice(calls: Call[]): Promise<OperationResult> {
	const [call] = calls;
	const voice = readVoice(calls);
	checkVoice(voice);
	const { extraBodyFields } = call;
	const samples: Sample[] = [];
	for (const input of voice.samples) samples.push(await openSample(call.context, input));

	const answer = await send(call, voice, samples, extraBodyFields);
	for (const remark of samples.map(adviceOn)) if (remark) call.hint(remark);
	if (!call.flag('simplify')) return { json: answer as IDataObject };
	const seconds = samples.reduce((sum, { wav }) => sum + wav.seconds, 0);
	return {
		json: {
			name: answer.model_name,
			description: answer.description,
			public: isPublic(answer),
			samples: samples.length,
			sampleSeconds: Math.round(seconds * 100) / 100,
		},
	};
}

async function send(
	call: Call,
	voice: VoiceRequest,
	samples: Sample[],
	extraFields: Record<string, unknown>,
) {
	const { voiceModel, voiceModelAlternative } = endpoints;
	const request = {
		...call.requestOptions,
		endpoint: call.options.endpoint === 'alternative' ? voiceModelAlternative : voiceModel,
		body: voiceForm(voice, samples, extraFields),
		// An upload may rightly take long, as long as it moves.
		streamed: true,
	};
	try {
		const answer = await call.places.use(async () => await call.client.json(request));
		return checkAnswer(voiceModelSchema, answer);
	} catch (error) {
		throw creationFailure(toFailure(error), voice.name);
	}
}
