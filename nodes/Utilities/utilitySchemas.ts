import { z } from 'zod';

/**
 * The uniform JSON envelope of the utility endpoints (interface, 4.13, rule 2). Its field names are not shown
 * there; these are what comparable services send. A number in `code` tells success from failure.
 */
export const utilityEnvelopeSchema = z.union([
	z.object({ data: z.unknown().refine((data) => data !== undefined) }).passthrough(),
	z.object({ code: z.number(), message: z.string() }).passthrough(),
]);

/** The languages of the translation endpoint, and how the gateway calls them. */
export const languageListSchema = z.array(
	z.object({ code: z.string().min(1), label: z.string().nullish() }).passthrough(),
);

/** The music charts; their ids are numbers or texts. */
export const musicChartListSchema = z.array(
	z
		.object({
			id: z.union([z.number(), z.string().min(1)]).transform(String),
			name: z.string().nullish(),
		})
		.passthrough(),
);
