import type { ICredentialDataDecryptedObject, IDataObject, INode } from 'n8n-workflow';

/** A node to run over items in the measured process. */
export interface Task {
	node: INode;
	items: IDataObject[];
	/** Decrypted credentials by type. */
	credentials: Record<string, ICredentialDataDecryptedObject>;
}

/** The result of a task. */
export interface Outcome {
	/** Milliseconds in the engine. */
	tookMs: number;
	/** Processor time of the whole process, in milliseconds. */
	processorMs: number;
	/** Peak memory of the process above its memory before the task, in bytes. */
	peakBytes: number;
	/** Items that were output without an error. */
	succeeded: number;
	/** Total size of the files of these items, in bytes. */
	fileBytes: number;
	/** The error that stopped the run, or that of the first failed item. */
	stopped?: string;
}
