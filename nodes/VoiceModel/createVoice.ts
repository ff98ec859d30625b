import { deniesSuccess } from '../shared/errors/errorInside';
import { answerFailure, DENIED } from '../shared/errors/errorMessages';
import { GatewayFailure, toFailure } from '../shared/errors/gatewayFailure';
import { readJson } from '../shared/answer/answerReaders';
import { unusable } from '../shared/answer/schemas';
import type { Call } from '../shared/run/call';
import { asRecord, isBlank } from '../shared/plain/values';
import type { Sample } from './samples';
import { voiceForm, type VoiceRequest } from './voiceForm';

/** The answer to a created voice (interface, 2.10). */
export interface CreatedVoice {
	name: string;
	/** The object with the fields of the interface. */
	fields: Record<string, unknown>;
	/** The whole answer. */
	answer: unknown;
}

/**
 * Reads the answer to a created voice, which some gateways wrap.
 *
 * @throws GatewayFailure (kind `answer`) without a name, or when a success marker says no
 */
function readCreatedVoice(body: unknown): CreatedVoice {
	if (deniesSuccess(body)) throw unusable(answerFailure(DENIED), body);
	for (const fields of [asRecord(body), asRecord(asRecord(body)?.data)]) {
		const name = [fields?.model_name, fields?.name].find((one) => typeof one === 'string' && !isBlank(one));
		if (fields && name) return { name: name as string, fields, answer: body };
	}
	throw unusable(answerFailure('the field "model_name" is missing'), body);
}

/**
 * Creates a voice as soon as the run has a free slot for the request.
 *
 * @param items that the voice is made of
 * @returns the gateway's answer
 * @throws GatewayFailure that says whether the voice may have been created
 */
export async function createVoice(
	call: Call,
	voice: VoiceRequest,
	samples: Sample[],
	items: number[],
): Promise<CreatedVoice> {
	const request = {
		...call.requestOptions,
		endpoint: voice.endpoint,
		body: voiceForm(voice, samples),
		// A large upload may take longer than the time limit, as long as it makes progress.
		streamed: 'file' as const,
	};
	try {
		const { value } = await call.payments.send(items, request, async (answer) =>
			readCreatedVoice(await readJson(answer)),
		);
		return value;
	} catch (error) {
		throw creationFailure(toFailure(error), voice.name);
	}
}

/** The failure with advice on how to find out whether the voice exists. */
function creationFailure(failure: GatewayFailure, name: string): GatewayFailure {
	const { kind, message, facts } = failure;
	const mayExist = facts.mayHaveBeenCarriedOut === true || kind === 'answer';
	if (!mayExist) return failure;
	const notAgain =
		(facts.attempts ?? 1) > 1
			? ''
			: ' The recordings were not sent a second time, because that could create the voice twice.';
	return new GatewayFailure(
		kind,
		`${message}. The voice “${name}” may have been created`,
		`Check the voice list before you run this item again (Get Many, with “${name}” as Filter). If the voice is there, use it. If not, run the item again.${notAgain}`,
		{ ...facts, mayHaveBeenCarriedOut: true, partial: { ...facts.partial, name } },
	);
}
