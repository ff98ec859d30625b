import { sentIn } from '../sentIn';
import { chatCompletions } from '../../../../nodes/Chat/formats/chatCompletions/format';
import type { Turn } from '../../../../nodes/Chat/formats/conversation';
import { generateContent } from '../../../../nodes/Chat/formats/generateContent/format';
import { messages as messagesFormat } from '../../../../nodes/Chat/formats/messages/format';
import { conversationOf as conversationIn } from '../../../../nodes/Chat/model/conversation';
import type { SdkMessage } from '../../../../nodes/Chat/sdk';
import { requestTools } from '../../../../nodes/Chat/model/adapter';

const conversationOf = (messages: SdkMessage[], format = chatCompletions) => conversationIn(messages, format);
const user = (...content: SdkMessage['content']): SdkMessage => ({ role: 'user', content });
const text = (words: string) => ({ type: 'text', text: words });

describe('Conversation from the messages of an agent', () => {
	it('has calls and their results in one turn each, and nothing that no format takes back', () => {
		const call = (toolCallId: string, city: string) => ({
			...{ type: 'tool-call', toolCallId, toolName: 'weather' },
			input: JSON.stringify({ city }),
		});
		const result = (toolCallId: string, value: unknown): SdkMessage => ({
			role: 'tool',
			name: 'weather',
			content: [{ type: 'tool-result', toolCallId, result: value }],
		});
		const { turns } = conversationOf([
			{ role: 'system', content: [text('Be brief.')] },
			user(text('Weather in Paris and Rome?')),
			{
				role: 'assistant',
				content: [
					{ type: 'reasoning', text: 'Two calls.' },
					{ type: 'provider', value: { type: 'redacted_thinking', data: 'aGk=' } },
					{ type: 'citation', url: 'https://example.com/' },
					{ type: 'file', mediaType: 'audio/wav', data: 'AAAA' },
					{ type: 'refusal', refusal: 'No.' },
					{ type: 'invalid-tool-call', name: 'weather', args: '{' },
					text('\n\n'),
					call('a', 'Paris'),
					call('b', 'Rome'),
				],
			},
			result('a', 'sun'),
			result('b', [text('rain'), { type: 'file' }, { type: 'own' }]),
			{ role: 'assistant', content: [text(' ')] },
			user(text('Thanks')),
		]);
		expect(turns[2].parts.map(({ type }) => type)).toEqual(['text', 'toolCall', 'toolCall']);
		expect(turns[3].parts).toMatchObject([{ name: 'weather' }, { name: 'weather' }]);
		const use = { type: 'tool_use', name: 'weather' };
		// Anthropic: "text content blocks must contain non-whitespace text".
		expect(sentIn(messagesFormat, { turns })).toEqual({
			system: 'Be brief.',
			messages: [
				{ role: 'user', content: 'Weather in Paris and Rome?' },
				{
					role: 'assistant',
					content: [
						{ ...use, id: 'a', input: { city: 'Paris' } },
						{ ...use, id: 'b', input: { city: 'Rome' } },
					],
				},
				{
					role: 'user',
					content: [
						{ type: 'tool_result', tool_use_id: 'a', content: 'sun' },
						{ type: 'tool_result', tool_use_id: 'b', content: 'rain\n[file]\n{"type":"own"}' },
					],
				},
				{ role: 'user', content: 'Thanks' },
			],
		});
	});

	it('has an answer with a call as the model gave it, with what it said before', () => {
		const call = { type: 'toolCall', id: 'a', name: 'look', arguments: {} } as const;
		const answered: Turn = { role: 'assistant', parts: [{ type: 'text', text: 'I look.' }, call] };
		const asked = { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{}' } as const;
		const said: SdkMessage[] = [user(text('What is there?')), { role: 'assistant', content: [asked] }];
		const { turns } = conversationIn(said, chatCompletions, () => answered);
		expect(turns[1]).toEqual(answered);
	});

	it('is rejected without any message to the model', () => {
		const messages: SdkMessage[] = [{ role: 'system', content: [text('Be brief.')] }, user(text(''))];
		const failure = { kind: 'input', message: 'The message to the model is empty' };
		expect(() => conversationOf(messages)).toThrow(expect.objectContaining(failure));
	});

	it.each([
		['an address', { type: 'file', providerMetadata: { url: 'https://example.com/a.png' } }, 'address'],
		['a data URI', { type: 'file', providerMetadata: { url: 'data:image/png;base64,AAAA' } }, 'base64'],
		['base64', { type: 'file', mediaType: 'image/png', data: 'AAAA' }, 'base64'],
		['bytes', { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2]) }, 'base64'],
		['base64 of unknown type', { type: 'file', data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB' }, 'base64'],
	])('may contain an image as %s', (_form, block, kind) => {
		const [turn] = conversationOf([user(block)]).turns;
		expect(turn.parts).toMatchObject([{ type: 'file', kind: 'image', sent: { kind } }]);
	});

	it('may contain a PDF as the AI Agent passes it', () => {
		const data = Buffer.from('%PDF-1.7').toString('base64');
		const pdf = { type: 'file', data, providerMetadata: { filename: 'offer.pdf' } };
		for (const format of [chatCompletions, messagesFormat]) {
			const [turn] = conversationOf([user(text('Read this.'), pdf)], format).turns;
			const sent = { kind: 'base64', mimeType: 'application/pdf', base64: data };
			expect(turn.parts).toEqual([
				text('Read this.'),
				{ type: 'file', kind: 'pdf', name: 'offer.pdf', sent },
			]);
		}
	});

	it('may contain a PDF by its address, which has its name', () => {
		const block = { type: 'file', providerMetadata: { url: 'https://example.com/a/terms.pdf?x=1' } };
		const [{ parts }] = conversationOf([user(block)]).turns;
		expect(parts).toMatchObject([{ type: 'file', kind: 'pdf', name: 'terms.pdf' }]);
		const providerMetadata = { url: 'https://example.com/?id=1' };
		const report = { type: 'file', mediaType: 'application/pdf', providerMetadata };
		expect(conversationOf([user(report)]).turns[0].parts).toMatchObject([{ kind: 'pdf', name: 'file' }]);
	});

	it('may contain a text file by its address in the generate-content format', () => {
		const block = { type: 'file', providerMetadata: { url: 'https://example.com/terms.txt' } };
		const [{ parts }] = conversationOf([user(block)], generateContent).turns;
		expect(parts).toMatchObject([{ type: 'file', kind: 'text', sent: { kind: 'address' } }]);
	});

	it.each([
		['chatCompletion', 'video/mp4', chatCompletions],
		['messages', 'audio/mpeg', messagesFormat],
		['messages', 'application/zip', messagesFormat],
	])('must not contain a file that the %s format has no part for (%s)', (_name, mediaType, format) => {
		const video = { type: 'file', mediaType, data: 'AAAA' };
		const failure = expect.objectContaining({
			kind: 'input',
			message: expect.stringContaining(`contains a file that cannot be sent to the model (${mediaType})`),
			description: expect.stringContaining('Extract from File'),
		});
		expect(() => conversationOf([user(text('Watch this.'), video)], format)).toThrow(failure);
	});
});

describe('Tools of a request', () => {
	const schemaOf = (tool: object) => (tool as { inputSchema?: unknown }).inputSchema;

	it('have an empty schema when they have no arguments, and are unchanged if they are of the vendor', () => {
		const search = { type: 'provider', name: 'web_search', args: { max_uses: 2 } };
		const now = { type: 'function', name: 'now' };
		const [tool, ofVendor] = requestTools([now, search], messagesFormat.request, schemaOf);
		expect(ofVendor).toEqual({ type: 'web_search', max_uses: 2 });
		expect(tool).toEqual({ name: 'now', description: '', input_schema: { type: 'object', properties: {} } });
	});
});
