import type { Emulator, Rule } from '../../../emulator';
import type { FaultServers } from './faultServers';
import type { OperationCase } from './operationCase';

/** One fault in a rule of the emulator. */
type RuleFault = NonNullable<Rule['faults']>[number];

/** What a fault can use. */
export interface Surroundings {
	emulator: Emulator;
	servers: FaultServers;
	operation: OperationCase;
	/** How many requests the fault hits. */
	times: number | 'always';
	/** Text in the requests that it hits; undefined for all requests. */
	hits: string | undefined;
}

/** One row of the matrix. */
export interface FaultCase {
	name: string;
	/** The addresses in the credential instead of the emulator's. */
	credential?(surroundings: Surroundings): { baseUrl: string; alternateBaseUrl?: string };
	/** Whether `credential` hits only the requests with the text; others hit everything, so there is no batch with them. */
	hitsContent?: boolean;
	/** What the emulator does; for all other faults. */
	fault?(surroundings: Surroundings): RuleFault;
	/** Time limit in the node's Options, in seconds, for faults that last until the limit is exceeded. */
	timeoutSeconds?: number;
	/** Time limit for a whole answer in the node's Options, in minutes, for answers that do not end. */
	totalMinutes?: number;
	/** The answer does not end, so the run must end it soon. */
	neverEnds?: boolean;
	/** Runs only for operations that do not share a reader. */
	perReader?: boolean;
	/** The operations that it can hit; default: all. */
	suits?(operation: OperationCase): boolean;
	/** Whether no client can read the answer, which is sent nevertheless. */
	hidesAnswer?: boolean;
	/** Whether an operation that works may have another output than without the fault; default: none. */
	altersAnswers?(operation: OperationCase): boolean;
}

/** A fault of the emulator. */
export function fault(name: string, rule: RuleFault, more: Partial<FaultCase> = {}): FaultCase {
	return { name, fault: () => rule, ...more };
}

/** Whether an operation reads event streams. */
export function isStreamed({ reader }: OperationCase): boolean {
	return reader === 'event stream';
}
