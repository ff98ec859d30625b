import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { OptionalFields } from '../../shared/answer/optionalFields';
import type { Call } from '../../shared/run/call';
import type { ItemOperation } from '../../shared/run/operation';
import type { OptionValues } from '../../shared/run/parameterReader';
import type { Endpoint } from '../../shared/send/endpoints';
import type { AnswerParts } from './answer';
import type { ChatInput, FileKind, Thoughts } from './conversation';
import type { Tool } from './functions';
import type { Generation, GenerationSettings } from './generation';
import { asRecord, type Fields } from '../../shared/plain/values';

/** A wire format of chat models, for Unified AI Chat and for the Chat Model. */
export interface ChatFormat {
	/** The operation of Unified AI Chat that asks in the format. */
	operation: Pick<ItemOperation, 'value' | 'name' | 'action' | 'description'>;
	/** Settings that the Chat Model needs; undefined if it does not offer the format. */
	chatModel: ModelSettings | undefined;
	input: InputSettings;
	generation: GenerationSettings;
	/** The options that only this format has. */
	options: INodeProperties[];
	/** The parameters of the raw response, and a function that reads them as fields of the request. */
	raw?: { parameters: INodeProperties[]; read(call: Call): Fields };
	request: RequestFormat;
	answer: AnswerFormat;
	stream: StreamFormat;
}

interface ModelSettings {
	/** The choice for the format in the parameter Format. */
	choice: INodePropertyOptions;
	/** Returns the fields that demand a tool call. @param choice `any`, `auto`, `none`, or the name of a tool */
	toolChoice(choice: string, generation: Generation): Fields;
}

/** Describes how the formats differ in their input. */
export interface InputSettings {
	/** The description of the system prompt, where it differs from the usual one. */
	system?: Pick<INodeProperties, 'description'>;
	/** True if the system prompt applies to every kind of input; otherwise messages have the role System instead. */
	systemAlways: boolean;
	jsonDescription: string;
	/** An example of the content of a message. */
	content: string;
	/** The field that each message must have, and whether it is a list. */
	needs: { field: string; isList: boolean };
	/** The kinds of files that the format has parts for: with their content only, or with a web address as well. */
	files: Partial<Record<FileKind, 'content' | 'any'>>;
}

export interface RequestFormat {
	/** Returns where a request goes. */
	target(model: string, streamed: boolean): { endpoint: Endpoint; query?: Record<string, string> };
	/** The fields that contain the options, and objects among the options; undefined if the body itself does. */
	optionsFields?: string[];
	tools(tools: Tool[]): object[];
	/** Returns the functions that the user declares without a tool, and whose calls are part of the output. */
	ownFunctions?(options: OptionValues): string[];
	/** Returns the fields that ask for JSON; undefined if the format has none for it. @param schema of an object */
	schemaFields(schema: Fields, hasTools: boolean, settings: RequestSettings): Fields | undefined;
	/** Writes the body. Its fields must keep their order, because paid results are kept under a hash of them. */
	body(parts: RequestParts): Fields;
}

/** Settings of the user for the requests of one item. */
export interface RequestSettings {
	options: OptionValues;
	generation: Generation;
	streamed: boolean;
}

export interface RequestParts extends RequestSettings {
	model: string;
	input: ChatInput;
	/** The tools as the format writes them. */
	tools: object[];
	/** Further fields of the body. */
	extra: Fields;
}

export interface AnswerFormat {
	/** Tells whether a body is an answer in the format. */
	isIn(body: Fields): boolean;
	/** Reads an answer. @throws GatewayFailure (kind `answer`) if it cannot be read */
	read(body: Fields, optional: OptionalFields): AnswerParts;
	/** Returns the usage, whose fields have any of the names that {@link tokensIn} knows. */
	usage(body: Fields): unknown;
	/** Returns the thoughts of the model. @param ids the IDs that were given to the calls with a name */
	thoughts(body: Fields, ids: string[]): Partial<Thoughts>;
}

export interface StreamFormat {
	/** Tells whether an event may begin a stream in the format. */
	begins(event: Fields): boolean;
	assembler(): Assembler;
}

/** Assembles the events of one format's stream into the body that the same request returns without a stream. */
export interface Assembler {
	/** Adds one event. @returns the text that it adds to the answer, empty for none */
	add(event: Fields): string;
	/** True if the answer is complete, so that losing the connection no longer matters. */
	readonly isComplete: boolean;
	body(): Fields;
}

/** Writes the request of a question in a format. @param more fields that override the others, except the tools */
export function requestIn({ request }: ChatFormat, parts: RequestParts, more: Fields) {
	const { model, streamed, tools } = parts;
	const all = Array.isArray(more.tools) ? { ...more, tools: [...tools, ...(more.tools as unknown[])] } : more;
	const json = withFields(request, request.body(parts), all);
	return { ...request.target(model, streamed), json, streamed: streamed ? ('events' as const) : undefined };
}

/** Adds fields to a body. Those in the fields for options are merged into these fields. */
export function withFields(format: RequestFormat, body: Fields, more: Fields): Fields {
	const added = Object.entries(more).map(([name, value]): [string, unknown] => {
		const [before, fields] = [asRecord(body[name]), asRecord(value)];
		const isMerged = before && fields && format.optionsFields?.includes(name);
		return [name, isMerged ? withFields(format, before, fields) : value];
	});
	return { ...body, ...Object.fromEntries(added) };
}
