import { NodeConnectionTypes, type IDataObject, type ISupplyDataFunctions } from 'n8n-workflow';
import type { BatchSettings, Outcome } from '../../shared/runtime/askInBatches';
import { isBlank } from '../../shared/values';
import { embedTexts, type Embedding, type EmbeddingSettings } from '../embedTexts';
import { answerFailure, inputFailure } from '../../shared/errors/errorMessages';
import type { GatewayClient, RequestOptions } from '../../shared/gateway/client';
import { toFailure } from '../../shared/errors/gatewayFailure';
import { loggedRun } from '../../shared/runtime/subNode';

/** All that embedding takes besides the texts. */
export interface GatewayEmbeddingsSettings {
	settings: EmbeddingSettings;
	batches: Pick<BatchSettings, 'batchSize' | 'maxConcurrency'>;
	options: RequestOptions;
}

/** Texts to vectors for n8n's vector stores, which ask for no more than these two methods. */
export class GatewayEmbeddings {
	constructor(
		private readonly context: ISupplyDataFunctions,
		private readonly client: GatewayClient,
		private readonly how: GatewayEmbeddingsSettings,
	) {}

	/**
	 * The vectors of many texts, in their order.
	 *
	 * @throws NodeApiError when a text has no vector in the end
	 */
	async embedDocuments(documents: string[]): Promise<number[][]> {
		return await this.embed(documents, { documents }, (index) => `Document ${index + 1}`);
	}

	/**
	 * The vector of a question.
	 *
	 * @throws NodeApiError when there is none in the end
	 */
	async embedQuery(query: string): Promise<number[]> {
		const [vector] = await this.embed([query], { query }, () => 'The query');
		return vector;
	}

	private async embed(
		texts: string[],
		input: IDataObject,
		nameOf: (index: number) => string,
	): Promise<number[][]> {
		const { settings, batches, options } = this.how;
		return await loggedRun(this.context, NodeConnectionTypes.AiEmbedding, input, async () => {
			const blank = texts.findIndex((text) => typeof text !== 'string' || isBlank(text));
			if (blank >= 0) throw blankText(nameOf(blank));
			const outcomes = await embedTexts(
				this.client,
				texts,
				settings,
				{ ...batches, stopAtFailure: true },
				options,
			);
			throwFirstFailure(outcomes, texts);
			const embeddings = outcomes.flatMap((outcome) => (outcome && 'value' in outcome ? outcome.value : []));
			checkLengths(embeddings, settings.dimensions);
			return { value: embeddings.map(({ vector }) => vector), output: summaryOf(embeddings, settings) };
		});
	}
}

function throwFirstFailure(outcomes: Array<Outcome<Embedding> | undefined>, texts: string[]): void {
	outcomes.forEach((outcome, index) => {
		if (!outcome || 'value' in outcome) return;
		const { failure } = outcome;
		throw toFailure(
			failure.with({ partial: { ...failure.facts.partial, failedText: texts[index].slice(0, 100) } }),
		);
	});
}

/**
 * A vector store cannot hold vectors of different lengths, and finds out only when it is searched.
 *
 * @throws GatewayFailure (kind `answer`)
 */
function checkLengths(embeddings: Embedding[], dimensions: number | undefined): void {
	const expected = dimensions ?? embeddings[0]?.vector.length;
	const other = embeddings.find(({ vector }) => vector.length !== expected);
	if (!other) return;
	throw answerFailure(`it holds a vector of ${other.vector.length} numbers where ${expected} were expected`);
}

/** What the run shows: the vectors themselves would make executions of many megabytes. */
function summaryOf(embeddings: Embedding[], { model }: EmbeddingSettings): IDataObject {
	const requests = new Set(embeddings.map(({ request }) => request));
	const known = [...requests].flatMap(({ usage }) => usage?.prompt_tokens ?? usage?.total_tokens ?? []);
	const promptTokens = known.reduce((sum, tokens) => sum + tokens, 0);
	const [first] = embeddings;
	return {
		vectors: embeddings.length,
		dimensions: first?.vector.length ?? 0,
		model: first?.request.model ?? model,
		requests: requests.size,
		...(known.length > 0
			? { tokenUsage: { promptTokens, completionTokens: 0, totalTokens: promptTokens } }
			: {}),
	};
}

function blankText(name: string) {
	return inputFailure(
		name,
		'holds no text, so there is nothing to embed',
		'Leave out empty texts before they get here, for example with a Filter node. If the text comes from an expression, check that the item has the field.',
	);
}
