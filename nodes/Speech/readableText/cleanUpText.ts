import type { INodeProperties } from 'n8n-workflow';
import { inputFailure, type NamedParameter } from '../../shared/errors/errorMessages';
import type { GatewayFailure } from '../../shared/errors/gatewayFailure';

/** An option: whether to speak the {@link readableText} of a text. */
export const CLEAN_UP_TEXT: INodeProperties = {
	displayName: 'Clean Up Text',
	name: 'cleanUpText',
	type: 'boolean',
	default: false,
	description:
		'Whether to remove what is not meant to be read aloud before the text is spoken: Markdown and HTML, links, emoji, code blocks, images, and citation numbers. Words, numbers, units, and signs are kept.',
};

/** The failure of a text of which {@link readableText} leaves nothing. @param parameter that the text comes from */
export function nothingToReadFailure(parameter: NamedParameter): GatewayFailure {
	return inputFailure(
		parameter,
		'contains nothing to read aloud',
		`It consists only of what ${CLEAN_UP_TEXT.displayName} removes, such as code, links, or emoji. Check the text, or turn off ${CLEAN_UP_TEXT.displayName} in Options.`,
	);
}
