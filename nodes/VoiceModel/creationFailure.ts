import { GatewayFailure } from '../shared/errors/gatewayFailure';

/**
 * The failure of creating a voice, which says how to find out whether it was created all the same, or which
 * other path there is.
 */
export function creationFailure(failure: GatewayFailure, name: string): GatewayFailure {
	const { kind, message, description, facts } = failure;
	const mayExist = facts.mayHaveBeenCarriedOut === true || kind === 'answer';
	if (mayExist) {
		return new GatewayFailure(
			kind,
			`${message}. The voice “${name}” may have been created`,
			`Look at the voice list before you run this item again (Get Many, with “${name}” as Filter and All as Visibility): if the voice is there, use it; if not, run the item again. The recordings were not sent a second time, because that could create the voice twice.`,
			{ ...facts, mayHaveBeenCarriedOut: true, partial: { ...facts.partial, name } },
		);
	}
	if (facts.status !== 404 && facts.status !== 405) return failure;
	const advice = `${description} Some gateways create voices under another path: choose it as Endpoint in Options.`;
	return new GatewayFailure(kind, message, advice, facts);
}
