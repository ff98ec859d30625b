import { deniesSuccess } from '../shared/errors/errorInside';
import { answerFailure, DENIED } from '../shared/errors/errorMessages';
import { GatewayFailure } from '../shared/errors/gatewayFailure';
import { type Answer, readJson } from '../shared/answer/answerReaders';
import { unusable } from '../shared/answer/unusable';
import { asRecord, isBlank } from '../shared/plain/values';

/** The answer to a created voice (interface, 2.10). */
export interface CreatedVoice {
	name: string;
	/** The object with the fields of the interface. */
	fields: Record<string, unknown>;
	answer: unknown;
}

/**
 * Reads the answer to a created voice, which some gateways wrap.
 *
 * @throws GatewayFailure (kind `answer`) without a name, or when a success marker says no
 */
export async function readCreatedVoice(response: Answer): Promise<CreatedVoice> {
	const body = await readJson(response);
	if (deniesSuccess(body)) throw unusable(answerFailure(DENIED), body);
	for (const fields of [asRecord(body), asRecord(asRecord(body)?.data)]) {
		const name = [fields?.model_name, fields?.name].find((one) => typeof one === 'string' && !isBlank(one));
		if (fields && name) return { name: name as string, fields, answer: body };
	}
	throw unusable(answerFailure('the field "model_name" is missing'), body);
}

/** The failure of a request for a voice, with advice on how to find out whether the voice exists if it may. */
export function creationFailure(failure: GatewayFailure, name: string): GatewayFailure {
	const { kind, message, facts } = failure;
	if (!facts.mayHaveBeenCarriedOut && kind !== 'answer') return failure;
	const { attempts = 1 } = facts;
	const notAgain =
		attempts > 1
			? ''
			: ' The recordings were not sent a second time, because that could create the voice twice.';
	return new GatewayFailure(
		kind,
		`${message}. The voice “${name}” may have been created`,
		`Check the voice list before you run this item again (Get Many, with “${name}” as Filter). If the voice is there, use it. If not, run the item again.${notAgain}`,
		{ ...facts, mayHaveBeenCarriedOut: true, partial: { ...facts.partial, name } },
	);
}
