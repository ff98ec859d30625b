import type { ImageInput } from '../../shared/files/images';
import { EmbeddedFile } from '../../shared/http/requestBody';
import { withoutSystemTurns, type Conversation, type Part, type Turn } from './conversation';

/**
 * The `contents` of the generate-content format (interface, 4.3); images in it may be `EmbeddedFile`s. The
 * interface has no place for a system text, so it stands in front of what the user says first.
 */
export function generateContents(conversation: Conversation): object[] {
	const { system, turns } = withoutSystemTurns(conversation);
	const contents = turns.map(contentOf);
	if (system === '') return contents;
	const [first, ...others] = contents;
	if (first?.role !== 'user') return [{ role: 'user', parts: [{ text: system }] }, ...contents];
	return [{ ...first, parts: [{ text: system }, ...first.parts] }, ...others];
}

function contentOf({ role, parts }: Turn): { role: 'user' | 'model'; parts: object[] } {
	return { role: role === 'user' ? 'user' : 'model', parts: parts.flatMap(partOf) };
}

function partOf(part: Part): object[] {
	switch (part.type) {
		case 'text':
			return part.text === '' ? [] : [{ text: part.text }];
		case 'image':
			return [imagePart(part.image)];
		case 'toolCall':
			return [{ functionCall: { name: part.name, args: part.arguments } }];
		case 'toolResult':
			return [{ functionResponse: { name: part.name, response: { result: part.text } } }];
	}
}

function imagePart(image: ImageInput): object {
	if (image.kind === 'address') return { fileData: { fileUri: image.url } };
	const data = image.kind === 'base64' ? image.base64 : new EmbeddedFile(image.file);
	return { inlineData: { mimeType: image.mimeType, data } };
}
