import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../../shared/failure/words';
import { jsonValue, type OptionValues } from '../../../shared/run/parameterReader';
import { type Endpoint, GENERATE } from '../../../shared/send/endpoints';
import { parseToSend } from '../../../shared/plain/json';
import { type Fields, asRecord, textOr } from '../../../shared/plain/values';
import { withoutFields } from '../assembler';
import { type RequestFormat, withFields } from '../chatFormat';
import {
	messagesOf,
	partsOfTurn,
	withoutSystemTurns,
	type Conversation,
	type FileKind,
	type FilePart,
	type Part,
	type Turn,
} from '../conversation';
import { base64Of, namedText } from '../fileParts';
import type { Tool } from '../functions';
import { generationFields } from '../generation';
import { isObjectSchema } from '../schemaForm';
import { fieldsOfCall, picked, type Thoughts } from '../thoughts';
import { openApiForm } from './openApiForm';

export const SAFETY_SETTINGS: INodeProperties = {
	displayName: 'Safety Settings',
	name: 'safetySettings',
	type: 'json',
	default: '[]',
	description: 'JSON array with category and threshold',
};

export const TOOLS: INodeProperties = {
	displayName: 'Tools',
	name: 'tools',
	type: 'json',
	default: '[]',
	description: 'JSON array with functionDeclarations',
};

/** The requests (interface, 4.3), with tools as comparable services expect them. */
export const request: RequestFormat = {
	target: (model, streamed) => ({
		endpoint: generateContentEndpoint(model, streamed),
		query: streamed ? { alt: 'sse' } : undefined,
	}),
	optionsField: 'generationConfig',
	tools: (tools) => (tools.length > 0 ? [{ functionDeclarations: tools.map(declarationOf) }] : []),
	ownFunctions: (options) => {
		const declared = readList(options, TOOLS).flatMap((tool) => asRecord(tool)?.functionDeclarations ?? []);
		return declared.map((declaration) => textOr(asRecord(declaration)?.name));
	},
	schemaFields: (schema, hasTools, { options }) => {
		// The format does not combine functions with a form of the answer.
		const isAlone = !hasTools && readList(options, TOOLS).length === 0;
		const form = isAlone && isObjectSchema(schema) ? openApiForm(schema) : undefined;
		return form && { generationConfig: { responseMimeType: 'application/json', responseSchema: form } };
	},
	body: ({ input, options, generation, tools, extra }) => {
		const generationConfig = generationFields(generation, 'generateContent');
		const safetySettings = readList(options, SAFETY_SETTINGS);
		const allTools = [...readList(options, TOOLS), ...tools];
		const body = {
			contents: messagesOf(input, contentsOf),
			...(Object.keys(generationConfig).length > 0 ? { generationConfig } : {}),
			...(safetySettings.length > 0 ? { safetySettings } : {}),
			...(allTools.length > 0 ? { tools: allTools } : {}),
		};
		return withFields(request, body, extra);
	},
};

/** The endpoint of a model (interface, 4.3); the interface does not show its streaming variant. */
export function generateContentEndpoint(model: string, streamed: boolean): Endpoint {
	const action = streamed ? 'streamGenerateContent' : 'generateContent';
	// Encoding throws for an incomplete surrogate pair.
	const name = encodeURIComponent(model.toWellFormed());
	const otherPath = 'If your gateway does not stream in this format, turn off Stream in Options.';
	const path = `/v1beta/models/${name}:${action}`;
	return { ...GENERATE, ...(streamed ? { otherPath } : {}), model, path };
}

/** The `contents` of the format (interface, 4.3), which has no field for a system text. */
export function contentsOf(conversation: Conversation): object[] {
	const { system, turns } = withoutSystemTurns(conversation);
	const givenIds = idsOf(turns);
	const contents = turns.map((turn) => contentOf(turn, givenIds));
	if (system === '') return contents;
	const [first, ...others] = contents;
	if (first?.role !== 'user') return [{ role: 'user', parts: [{ text: system }] }, ...contents];
	return [{ ...first, parts: [{ text: system }, ...first.parts] }, ...others];
}

interface Content {
	role: 'user' | 'model';
	parts: object[];
}

function contentOf(turn: Turn, givenIds: Map<string, Fields>): Content {
	const parts = partsOfTurn(turn, (part) => partOf(part, turn.thoughts, givenIds));
	return { role: turn.role === 'user' ? 'user' : 'model', parts };
}

/** The IDs that the model itself has given to its calls, by those in the conversation. */
function idsOf(turns: Turn[]): Map<string, Fields> {
	const all = turns.flatMap(({ thoughts }) => thoughts?.parts ?? []);
	return new Map(
		all.map(({ callId = '', fields }) => [callId, picked(asRecord(fields.functionCall) ?? {}, ['id'])]),
	);
}

function partOf(part: Part, thoughts: Thoughts | undefined, givenIds: Map<string, Fields>): object[] {
	switch (part.type) {
		case 'text':
			return part.text === '' ? [] : [{ text: part.text }];
		case 'file':
			return [filePart(part)];
		case 'document':
			return [{ text: namedText(part) }];
		case 'toolCall': {
			const others = withoutFields(fieldsOfCall(thoughts, part.id), ['functionCall']);
			return [
				{ functionCall: { ...givenIds.get(part.id), name: part.name, args: part.arguments }, ...others },
			];
		}
		case 'toolResult':
			return [
				{ functionResponse: { ...givenIds.get(part.id), name: part.name, response: { result: part.text } } },
				...(part.files ?? []).map(filePart),
			];
	}
}

/** The usual media types of files at web addresses; that of an image is not sent. */
const TYPES: Record<Exclude<FileKind, 'image'>, string> = {
	audio: 'audio/mpeg',
	pdf: 'application/pdf',
	text: 'text/plain',
	video: 'video/mp4',
};

/** A part of the generate-content format (interface, 4.3). */
function filePart({ kind, sent }: FilePart): object {
	if (sent.kind !== 'address') return { inlineData: { mimeType: sent.mimeType, data: base64Of(sent) } };
	return { fileData: { fileUri: sent.url, ...(kind === 'image' ? {} : { mimeType: TYPES[kind] }) } };
}

function declarationOf({ name, description, parameters }: Tool): object {
	if (Object.keys(asRecord(parameters.properties) ?? {}).length === 0) return { name, description };
	const form = openApiForm(parameters);
	return { name, description, ...(form ? { parameters: form } : { parametersJsonSchema: parameters }) };
}

/** An entry of Options that is a list of objects; empty when it is not set. */
function readList(options: OptionValues, definition: INodeProperties): object[] {
	const value = options.value(definition);
	if (value === undefined || value === '') return [];
	const list = jsonValue(value, definition, '[{…}]', parseToSend);
	if (!Array.isArray(list) || !list.every((entry) => asRecord(entry))) {
		throw inputFailure(definition, 'is not a list of JSON objects', 'Enter an array of objects, e.g. [{…}].');
	}
	return list as object[];
}
