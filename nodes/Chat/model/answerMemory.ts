import type { Learned } from '../../shared/send/credentialState';
import type { Thoughts } from '../formats/conversation';

export interface RequestedCall {
	id: string;
	name: string;
	arguments: Record<string, unknown>;
}

/** An answer with tool calls, of which an agent hands back only a part. */
export interface RequestingAnswer {
	text: string;
	calls: RequestedCall[];
	thoughts: Thoughts;
}

/** The limits of the memory: answers, and characters of JSON in all of them. Without the newest, APIs refuse its results. */
const MOST_ANSWERS = 200;
const MOST_LENGTH = 20_000_000;

/**
 * Remembers answers with tool calls until the agent hands back the results. n8n's Agent keeps neither what the model
 * thought nor which calls came together, and creates its model anew for each turn.
 */
export class AnswerMemory {
	private answers: Array<{ scope: string; answer: RequestingAnswer; length: number }> = [];

	/** @param scope which agent asks, and in which execution: the IDs of calls are not always unique */
	keep(scope: string, answer: RequestingAnswer): void {
		if (answer.calls.length === 0) return;
		const { length } = JSON.stringify(answer);
		this.answers = [...this.answers.slice(1 - MOST_ANSWERS), { scope, answer, length }];
		while (this.answers.length > 1 && this.length > MOST_LENGTH) this.answers.shift();
	}

	private get length(): number {
		return this.answers.reduce((sum, { length }) => sum + length, 0);
	}

	has(scope: string, id: string): boolean {
		return this.answers.some((one) => one.scope === scope && one.answer.calls.some((call) => call.id === id));
	}

	/** The newest answer with a call of this ID and name, whose arguments may have been added to. */
	find(scope: string, { id, name, arguments: given }: RequestedCall): RequestingAnswer | undefined {
		const isCall = (call: RequestedCall) =>
			call.id === id &&
			call.name === name &&
			Object.entries(call.arguments).every(
				([key, value]) => JSON.stringify(given[key]) === JSON.stringify(value),
			);
		return this.answers.findLast((one) => one.scope === scope && one.answer.calls.some(isCall))?.answer;
	}
}

const ABOUT = 'answers with tool calls';

/** The memory for all agents that use a gateway. @param learned what is known of the gateway */
export function answerMemoryOf(learned: Pick<Learned, 'recall' | 'note'>): AnswerMemory {
	const memory = learned.recall<AnswerMemory>(ABOUT) ?? new AnswerMemory();
	// What is in use is not forgotten.
	learned.note(ABOUT, memory);
	return memory;
}
