type Call = (messages: unknown[], options?: object) => unknown;

/** LangChain's chunk of an answer, which adds up the next one. */
interface Chunk {
	concat(next: Chunk): Chunk;
}

interface StructuredAdapter {
	_generate?: Call;
	_streamResponseChunks?: Call;
	bindTools?: (tools: unknown, options?: object) => unknown;
	withStructuredOutput?: (...given: unknown[]) => unknown;
}

/**
 * Lets nodes ask a model for an object that fits a schema, as n8n's Evaluation does. LangChain makes the schema a tool,
 * but does not demand its call, and reads the call only from a chunk, where the SDK returns a message.
 */
export function completeStructuredOutput(adapter: StructuredAdapter): void {
	const { withStructuredOutput, bindTools } = adapter;
	if (!withStructuredOutput || !bindTools) return;
	const bind = (tools: unknown) =>
		withAnswersInChunks(bindTools(tools, { tool_choice: 'any' }) as StructuredAdapter);
	adapter.withStructuredOutput = (...given) =>
		withStructuredOutput.apply(Object.create(adapter, { bindTools: { value: bind } }), given);
}

function withAnswersInChunks(model: StructuredAdapter): StructuredAdapter {
	const { _streamResponseChunks: stream } = model;
	if (!stream) return model;
	model._generate = async (messages, options) => {
		let whole: Chunk | undefined;
		const chunks = stream(messages, options) as AsyncIterable<Chunk>;
		for await (const chunk of chunks) whole = whole?.concat(chunk) ?? chunk;
		return { generations: whole ? [whole] : [] };
	};
	return model;
}
