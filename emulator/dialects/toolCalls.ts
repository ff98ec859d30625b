import { type Dialect, variant } from './dialect';
import { eachObject, objectsIn, without } from './json';
import { CHAT_COMPLETIONS } from './routes';

/** Shapes of tool calls. Only the models of an AI Agent receive any. */
export const toolCalls: readonly Dialect[] = [
	variant({
		name: 'tools-answer-no-id',
		description: 'Calls without an ID',
		source: 'Ollama: tool calls',
		routes: CHAT_COMPLETIONS,
		json: (value) =>
			eachObject(value, (object) =>
				Array.isArray(object.tool_calls)
					? { ...object, tool_calls: objectsIn(object.tool_calls).map((call) => without(call, 'id')) }
					: object,
			),
	}),
];
