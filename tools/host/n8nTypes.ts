/** The account that signs in to the editor. */
export interface Owner {
	email: string;
	password: string;
}

/** A stored credential, without its data. */
export interface Credential {
	id: string;
	name: string;
}

/** A workflow in the format of an example file. */
export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	[field: string]: unknown;
}

/** A node of a workflow; only the fields that are used here. */
export interface WorkflowNode {
	name: string;
	type: string;
	disabled?: boolean;
	parameters: Record<string, unknown>;
	credentials?: Record<string, Credential>;
	[field: string]: unknown;
}

/** A node type in `/types/nodes.json`; only the fields that are used here. */
export interface NodeType {
	name: string;
	displayName: string;
	version: number | number[];
	/** Empty for a sub-node; an expression in some nodes. */
	inputs: unknown[] | string;
	credentials?: Array<{ name: string }>;
	iconUrl?: IconUrl;
}

/** A credential type in `/types/credentials.json`; only the fields that are used here. */
export interface CredentialType {
	name: string;
	displayName: string;
	iconUrl?: IconUrl;
}

/** Paths that are relative to the editor's address. */
type IconUrl = string | { light: string; dark: string };

/** One run of one node within an execution. */
export interface NodeRun {
	executionStatus?: string;
	error?: { message?: string; description?: string | null };
	/** The data that the node reports to n8n's traces. */
	metadata?: { tracing?: Record<string, string | number> };
	/** Items by connection type, then by output. */
	data?: Record<string, Array<ResultItem[] | null>>;
}

/** An item in the results of an execution; only the fields that are used here. */
export interface ResultItem {
	json?: Record<string, unknown>;
	/** The files by field. */
	binary?: Record<string, ResultFile>;
}

/** A file in the results of an execution; n8n stores its content separately. */
export interface ResultFile {
	id: string;
	fileName: string;
	mimeType: string;
}

/** An execution that is finished, running, or waiting. */
export interface Execution {
	id: string;
	status: string;
	/** The runs of every node that ran, by node name, in the order in which they started. */
	runData: Record<string, NodeRun[]>;
	error?: { message?: string; description?: string | null };
}

/** The result of a credential test. */
export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

/** A data table; only the fields that are used here. */
export interface DataTable {
	id: string;
	name: string;
	projectId: string;
}

/** A row of a data table: its own columns, and those that n8n adds. */
export type DataTableRow = Record<string, unknown> & { id: number };
