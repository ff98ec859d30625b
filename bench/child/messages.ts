import type { ICredentialDataDecryptedObject, IDataObject, INode } from 'n8n-workflow';

/** One node to run over items, in the process that measures. */
export interface Task {
	node: INode;
	items: IDataObject[];
	/** Decrypted credentials by type. */
	credentials: Record<string, ICredentialDataDecryptedObject>;
}

/** What a task took. */
export interface Outcome {
	/** Milliseconds in the engine. */
	tookMs: number;
	/** Milliseconds of processor time of the whole process. */
	processorMs: number;
	/** Most memory of the process above what it held before the task, in bytes. */
	peakBytes: number;
	/** Items that came out without an error. */
	succeeded: number;
	/** Why the run stopped, if it did. */
	stopped?: string;
}
