import { withGatewayWords } from '../shared/errors/statusFailure';
import { GatewayFailure } from '../shared/errors/gatewayFailure';

/** A documented reason for a response without an image (interface, section 7). */
interface Reason {
	/** Part of the gateway's message. */
	gatewayMessage: string;
	message: string;
	description: string;
	/** Whether sending the same request again cannot succeed. */
	isFinal: boolean;
}

const REASONS: Reason[] = [
	{
		gatewayMessage: 'no base64 image found in response',
		message: 'The model returned no image',
		description:
			'The response of the model contained only text, or nothing. Describe clearly in Prompt what the image shows, check that all addresses in Reference Images can be opened from the internet, and check that Model is an image model. Then run the item again.',
		isFinal: false,
	},
	{
		gatewayMessage: 'failed to upload image',
		message: 'The image was generated, but the gateway could not store it',
		description:
			'The upload from the model to the file storage of the gateway failed. Run the item again in a few minutes. If the problem continues, contact the operator of the gateway, and ask whether the attempts were charged.',
		isFinal: false,
	},
	{
		gatewayMessage: 'chat response contains no choices',
		message: 'The model returned an empty response, most likely because of its safety filter',
		description:
			'Change Prompt or Reference Images of this item: avoid real people, violence, nudity, and protected characters. The request was not sent again, because the model would reject it again.',
		isFinal: true,
	},
];

/** The same failure with a message and advice for a documented reason; other failures unchanged. */
export function explainImageFailure(failure: GatewayFailure): GatewayFailure {
	const reason = reasonOf(failure);
	if (!reason) return failure;
	const message = withGatewayWords(reason.message, failure.facts);
	return new GatewayFailure(failure.kind, message, reason.description, failure.facts);
}

/** Whether a request must not be sent again, although the status of its response would allow it. */
export function isFinalImageFailure(failure: GatewayFailure): boolean {
	return reasonOf(failure)?.isFinal ?? false;
}

function reasonOf({ facts }: GatewayFailure): Reason | undefined {
	const message = facts.gatewayMessage?.toLowerCase() ?? '';
	return REASONS.find(({ gatewayMessage }) => message.includes(gatewayMessage));
}
