import { NodeConnectionTypes, type IDataObject } from 'n8n-workflow';
import type { GatewayFailure } from '../../shared/failure/failure';
import { answerFailure, emptyFailure } from '../../shared/failure/words';
import { namingText, sumOf, tokenUsageOf } from '../../batches/paidTexts';
import { loggedRun, type SubNodeCall } from '../../shared/run/subNode';
import { isBlank } from '../../shared/plain/values';
import { embedTexts, type Embedding, type EmbeddingJob } from '../embedTexts';

/** Embeds texts for n8n's vector stores, which call only these two methods. */
export class GatewayEmbeddings {
	constructor(
		private readonly call: SubNodeCall,
		private readonly job: EmbeddingJob,
	) {}

	/** Returns the vectors of texts, in order. @throws NodeApiError */
	async embedDocuments(documents: string[]): Promise<number[][]> {
		return await this.embed(documents, { documents }, (index) => `Document ${index + 1}`);
	}

	/** Returns the vector of a query. @throws NodeApiError */
	async embedQuery(query: string): Promise<number[]> {
		const [vector] = await this.embed([query], { query }, () => 'The query');
		return vector;
	}

	private async embed(
		texts: string[],
		input: IDataObject,
		nameOf: (index: number) => string,
	): Promise<number[][]> {
		return await loggedRun(this.call, NodeConnectionTypes.AiEmbedding, input, async () => {
			const blank = texts.findIndex((text) => typeof text !== 'string' || isBlank(text));
			if (blank >= 0) {
				const advice = 'Remove empty texts earlier in the workflow, for example with a Filter node.';
				throw emptyFailure(nameOf(blank), advice);
			}
			const items = texts.map(() => this.call.itemIndex);
			const outcomes = await embedTexts(this.call, texts, this.job, items);
			const embeddings: Embedding[] = [];
			let failed: GatewayFailure | undefined;
			for (const [index, outcome] of outcomes.entries()) {
				if (!outcome) continue;
				if ('value' in outcome) embeddings.push(outcome.value);
				// A failure that may have been charged for is the one to report.
				else if (!failed || (failed.isFree && !outcome.failure.isFree))
					failed = namingText(outcome.failure, outcomes, nameOf(index), texts[index]);
			}
			if (failed) throw this.call.payments.withPayment(failed, items);
			checkLengths(embeddings, texts, nameOf);
			return { value: embeddings.map(({ vector }) => vector), output: this.summaryOf(embeddings) };
		});
	}

	/** The output of the run in the execution, without the vectors: they would take up many megabytes. */
	private summaryOf(embeddings: Embedding[]): IDataObject {
		const requests = new Set(embeddings.map(({ request }) => request));
		const [first] = embeddings;
		return {
			vectors: embeddings.length,
			dimensions: first?.vector.length ?? 0,
			model: first?.request.model ?? this.job.settings.model,
			requests: requests.size,
			...tokenUsageOf(sumOf(requests)),
		};
	}
}

/** A vector store cannot hold vectors of different lengths, and notices it only when it is searched. */
function checkLengths(embeddings: Embedding[], texts: string[], nameOf: (index: number) => string): void {
	const expected = embeddings[0]?.vector.length;
	const other = embeddings.findIndex(({ vector }) => vector.length !== expected);
	if (other < 0) return;
	const { length } = embeddings[other].vector;
	const failure = answerFailure(`it contains a vector of ${length} numbers instead of ${expected}`);
	throw namingText(failure, [], nameOf(other), texts[other]);
}
