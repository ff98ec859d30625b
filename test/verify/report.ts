/** The result of a check. */
export interface Outcome {
	/** Printed when the check passes, such as "84 kB, 61 files". */
	detail: string;
	/** One entry for each problem; empty when the check passes. */
	findings: string[];
}

/** Runs checks, prints a line for each, and counts those that passed and failed. */
export class Report {
	private passed = 0;
	private failed = 0;

	/** @param print receives complete lines without the line break. */
	constructor(private readonly print: (line: string) => void) {}

	/**
	 * Runs a check and prints its result. When a check throws, it fails with the message as its finding.
	 * @returns whether it passed
	 */
	async check(name: string, run: () => Outcome | Promise<Outcome>): Promise<boolean> {
		const { detail, findings } = await outcomeOf(run);
		if (findings.length === 0) {
			this.passed += 1;
			this.print(`ok    ${name}: ${detail}`);
			return true;
		}
		this.failed += 1;
		this.print(`FAIL  ${name}`);
		for (const finding of findings) this.print(indented(finding));
		return false;
	}

	/** Prints the totals. @returns the exit code: 1 if any check failed */
	close(): 0 | 1 {
		this.print(`${this.passed} passed, ${this.failed} failed`);
		return this.failed === 0 ? 0 : 1;
	}
}

async function outcomeOf(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
	try {
		return await run();
	} catch (error) {
		return { detail: '', findings: [error instanceof Error ? error.message : String(error)] };
	}
}

function indented(text: string): string {
	return text.trimEnd().replace(/^/gm, '      ');
}
