import { GatewayFailure } from '../shared/errors/gatewayFailure';

/**
 * A failure in words that fit utility endpoints: "not found" is about a city or a song instead of a model, and a value
 * that the gateway does not know can cause an internal error.
 */
export function utilityFailure(failure: GatewayFailure): GatewayFailure {
	const { kind, message, description, facts } = failure;
	const { status, gatewayMessage } = facts;
	if (status === 414 || status === 431) {
		return new GatewayFailure(
			kind,
			'The parameters of this item are too long for the gateway',
			'They are part of the URL of the request. Shorten the text, or split it into several items.',
			facts,
		);
	}
	if (kind === 'notFound') {
		return new GatewayFailure(
			kind,
			gatewayMessage
				? `The gateway found nothing: ${gatewayMessage}`
				: `The gateway found nothing (status ${status})`,
			'Check the parameters of this item. If this operation never finds anything, your gateway may have the endpoint at another path (Endpoint Path in Options) or at another address (Utilities Base URL in the credential).',
			facts,
		);
	}
	if (kind === 'gateway') {
		const hint =
			'Check the parameters of this item as well: some utilities fail with this error for a value that they do not know.';
		return new GatewayFailure(kind, message, `${description} ${hint}`, facts);
	}
	return failure;
}
