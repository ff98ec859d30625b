import { documentedReason, NO_CHOICES, NO_IMAGE, NOT_UPLOADED } from '../shared/errors/meaning';
import { GatewayFailure } from '../shared/errors/gatewayFailure';
import { unclearAdvice, withGatewayWords } from '../shared/errors/statusFailure';

/** The words for the documented messages of a response without an image. The model was asked, and may be charged. */
const REASONS: Record<string, { message: string; description: string; isFinal?: true }> = {
	[NO_IMAGE]: {
		message: 'The model returned no image',
		description:
			'The response of the model contained only text, or nothing. Describe clearly in Prompt what the image shows, check that all addresses in Reference Images can be opened from the internet, and check that Model is an image model. Then run the item again.',
	},
	[NOT_UPLOADED]: {
		message: 'The image was generated, but the gateway could not store it',
		description:
			'The upload from the model to the file storage of the gateway failed. Ask the operator of the gateway for the image, or run the item again in a few minutes, which generates another one.',
	},
	[NO_CHOICES]: {
		message: 'The model returned an empty response, most likely because of its safety filter',
		description:
			'Change Prompt or Reference Images of this item: avoid real people, violence, nudity, and protected characters. The request was not sent again, because the model would reject it again. The gateway may have charged for it.',
		isFinal: true,
	},
};

/** The same failure with a message and advice for a documented reason; other failures unchanged. */
export function explainImageFailure(failure: GatewayFailure): GatewayFailure {
	const { kind, facts } = failure;
	const documented = documentedReason(facts);
	if (documented === undefined) return failure;
	const { message, description, isFinal } = REASONS[documented];
	const advice = isFinal ? description : `${description} ${unclearAdvice(facts)}`;
	return new GatewayFailure(kind, withGatewayWords(message, facts), advice, {
		...facts,
		mayHaveBeenCarriedOut: true,
	});
}
