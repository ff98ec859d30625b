import type { IBinaryData, IDataObject, INodeProperties } from 'n8n-workflow';
import type { GatewayFailure } from '../errors/gatewayFailure';
import type { Call } from './call';

/** What an operation makes of one input item; becomes one output item. */
export interface OperationResult {
	json: IDataObject;
	/** Files by the name of their output field. */
	files?: Record<string, IBinaryData>;
}

/** What an item failed with, beside results that did not; becomes an output item of its own. */
export interface OperationFailure {
	failure: GatewayFailure;
	/** Files that were finished all the same, by the name of their output field. */
	files?: Record<string, IBinaryData>;
}

/** A result or failure with the items it came from. */
export type LinkedResult = { from: number | number[] } & ({ result: OperationResult } | OperationFailure);

interface OperationDescription {
	/** Value of the `resource` parameter, for nodes that have one. */
	resource?: string;
	/** Value of the `operation` parameter. */
	value: string;
	/** Title Case. */
	name: string;
	/** Sentence case, with the resource, without articles. */
	action: string;
	description: string;
	/** The operation's own parameters, without display options for resource and operation. */
	fields: INodeProperties[];
}

/** An operation that treats each item by itself. */
export interface ItemOperation extends OperationDescription {
	/**
	 * Makes one or more results of an item. Where only some of them fail, the failures stand in the list, so
	 * that the others are not lost.
	 *
	 * @throws GatewayFailure when nothing of the item can be done
	 */
	run(call: Call): Promise<OperationResult | Array<OperationResult | OperationFailure>>;
}

/** An operation that needs all items together. */
export interface BatchOperation extends OperationDescription {
	/** Gives every item at least one result or failure; results are put out in the order given. */
	runAll(calls: Call[]): Promise<LinkedResult[]>;
}

export type Operation = ItemOperation | BatchOperation;
