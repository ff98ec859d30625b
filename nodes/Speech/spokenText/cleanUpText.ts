import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import type { Call } from '../../shared/run/call';
import type { ParameterDefinition } from '../../shared/run/parameterReader';
import { spokenText } from './spokenText';

/** An option: whether to speak the {@link spokenText} of a text. */
export const CLEAN_UP_TEXT: INodeProperties = {
	displayName: 'Clean Up Text',
	name: 'cleanUpText',
	type: 'boolean',
	default: false,
	description:
		'Whether to remove what is not meant to be read aloud before the text is spoken: Markdown and HTML, links, emoji, code blocks, images, and citation numbers',
};

/** A text to speak, without what the item removes from it. @throws GatewayFailure (kind `input`) when there is none */
export function readText(call: Call, parameter: ParameterDefinition): string {
	const text = call.requiredText(parameter);
	if (!call.options.flag(CLEAN_UP_TEXT)) return text;
	const spoken = spokenText(text);
	if (spoken !== '') return spoken;
	throw inputFailure(
		parameter,
		'contains nothing to read aloud',
		`It consists only of what ${CLEAN_UP_TEXT.displayName} removes, such as code, links, or emoji. Check the text, or turn off ${CLEAN_UP_TEXT.displayName} in Options.`,
	);
}
