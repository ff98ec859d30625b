import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** What older versions of n8n do in another way. Each entry says from which version on it may go. */

/** How often the engine reads the mark of an item before it moves the item to the error output. */
const READS_OF_MARK = 2;

/**
 * May go with n8n 2.35.3 as the oldest version. Until then, n8n sends a failed item to the error output only if it has
 * `error` and nothing else, or if the item itself carries an error; in that case, it throws away what else the item has
 * (the fields of the row, and what was paid for) as soon as it reads the error once more. This mark is therefore there
 * for as many reads as it takes to move the item, and gone afterwards.
 *
 * @returns the same item
 */
export function markedAsFailed(item: INodeExecutionData): INodeExecutionData {
	let reads = 0;
	return Object.defineProperty(item, 'error', {
		configurable: true,
		// n8n copies and saves only what can be enumerated.
		enumerable: false,
		get: () => {
			reads += 1;
			return reads <= READS_OF_MARK ? item.json.error : undefined;
		},
	});
}

/**
 * Whether an agent runs the tool itself, as AI Agent did before version 3, and drops its files. Versions of n8n that do not
 * have this function (2.0.0, for example) do not tell.
 */
export function runsInsideAgent(context: IExecuteFunctions): boolean | undefined {
	const { isToolExecution } = context as Partial<IExecuteFunctions>;
	return isToolExecution?.call(context);
}
