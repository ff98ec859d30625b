import { GatewayFailure } from '../shared/errors/gatewayFailure';

/**
 * A failure in words that fit the utility endpoints: "not found" is about a city or a song, not about a model,
 * and a value that the gateway does not know may make it break down.
 */
export function utilityFailure(failure: GatewayFailure): GatewayFailure {
	const { kind, message, description, facts } = failure;
	const said = facts.gatewayMessage;
	if (facts.status === 414 || facts.status === 431) {
		return new GatewayFailure(
			kind,
			'The parameters of this item are too long for the gateway',
			'They travel in the address of the request. Shorten the text, or split it into several items.',
			facts,
		);
	}
	if (kind === 'notFound') {
		return new GatewayFailure(
			kind,
			said ? `The gateway found nothing: ${said}` : `The gateway found nothing (status ${facts.status})`,
			'Check the parameters of this item. If this operation never finds anything, the gateway may have it under another path (Endpoint Path in Options) or at another address (Utilities Base URL in the credential).',
			facts,
		);
	}
	if (kind === 'gateway') {
		const hint =
			'Check the parameters of this item, too: some utilities break down over a value that they do not know.';
		return new GatewayFailure(kind, message, `${description} ${hint}`, facts);
	}
	return failure;
}
