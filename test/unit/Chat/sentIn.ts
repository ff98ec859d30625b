import type { ChatFormat, RequestParts } from '../../../nodes/Chat/formats/chatFormat';
import type { Conversation } from '../../../nodes/Chat/formats/conversation';
import { OptionValues } from '../../../nodes/shared/run/parameterReader';

/** Returns the body of a request in a format, without the model. */
export function sentIn(
	format: ChatFormat,
	{ system = '', turns = [] }: Partial<Conversation>,
	more: Partial<RequestParts> = {},
) {
	const body = format.request.body({
		...{ options: new OptionValues({}), generation: {}, model: 'm', input: { system, turns } },
		...{ tools: [], extra: {}, streamed: false },
		...more,
	});
	delete body.model;
	return body;
}
