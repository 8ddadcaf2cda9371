// Made by tools/client-types.ts from /openapi.json. Change the API, not this file.

/** The vehicle identification number: 17 characters, upper case, without the letters I, O and Q. */
export type Vin = string;

/** The decoded vehicle, and whether it has a label. */
export type VinResponse = {
  /** Always true; false in problems. */
  ok: true;
  vin: Vin;
  /** Warnings as text: a wrong check digit, a source that failed. Null if there are none. */
  warning: string | null;
  /** The decoded vehicle; null if the decoder doesn't know the VIN at all. */
  vehicle: Vehicle | null;
  windowSticker: WindowSticker;
};

/** The vehicle as NHTSA's vPIC decodes its VIN, in vPIC's own words. Numbers are strings; unknown values are null. */
export type Vehicle = {
  /** Model year, four digits in a string. */
  year: string | null;
  /** Make in upper case, as in vPIC. */
  make: string | null;
  /** Model. */
  model: string | null;
  /** Trim level, if the VIN encodes it. */
  trim: string | null;
  /** Body style. */
  bodyClass: string | null;
  /** Driven wheels. */
  driveType: string | null;
  /** Number of doors, in a string. */
  doors: string | null;
  /** The engine, as far as the VIN encodes it. */
  engine: {
    /** Displacement in liters with the suffix L. */
    displacement: string | null;
    /** Number of cylinders, in a string. */
    cylinders: string | null;
    /** Primary fuel. */
    fuel: string | null;
  };
  /** Transmission type. */
  transmission: string | null;
  /** Where it was built: city, state or province, country; unknown parts are left out. */
  plant: string | null;
  /** The registered manufacturer. */
  manufacturer: string | null;
};

/** What we know about the manufacturer's original window sticker (label) for this VIN. */
export type WindowSticker = {
  /** True if the make publishes labels. */
  supported: boolean;
  /** True if a label exists for this VIN, false if there is none, null if we don't know: we didn't ask, or couldn't reach the source. */
  available: boolean | null;
  /** Size of the PDF in bytes, if we have it. */
  bytes: number | null;
  /** URL of the manufacturer's PDF for this VIN; null if there is none to request. */
  pdf: string | null;
  /** URL of a web page about this VIN. */
  page: string;
  reason?: StickerReason;
  /** Seconds to wait before trying again, if that makes sense. The same as the `Retry-After` header. */
  retryAfter?: number;
  /** Present if we have the label. `original`: the manufacturer's own file. `dealer-copy`: a dealer platform's copy, which may be stamped "Unofficial Copy" and may not contain the VIN as text. Specimens are our own drawings: they have the `kind` of the labels they represent, and `sourceHost` is `specimen`. */
  kind?: 'original' | 'dealer-copy';
  /** The host the label came from; present if we have it. */
  sourceHost?: string;
  /** Present only if the reason is on our side: lookups are paused, or the label was withdrawn. */
  note?: string;
  paint?: Paint;
};

/** Why there is no label; present if `available` is null or false. `not-asked` comes with `sticker=false`; the others are problem codes, which `/errors/{reason}` explains. */
export type StickerReason =
  | 'make-not-supported'
  | 'no-label'
  | 'source-off'
  | 'withdrawn'
  | 'source-failed'
  | 'source-refused'
  | 'not-asked'
  | 'still-asking'
  | 'busy'
  | 'network'
  | 'ask-limit'
  | 'store-unavailable'
  | 'internal';

/** Exterior color as printed on the label. */
export type Paint = {
  /** Exterior color exactly as printed on the label. */
  color: string;
  /** Factory paint code, if the label has one; otherwise null. */
  code: string | null;
};

/** The manufacturer's label as data: color, options, prices, and whether they add up. */
export type LabelResponse = {
  /** Always true here. */
  ok: true;
  vin: Vin;
  /** False if the label can't be read; `reason` says why. */
  readable: boolean;
  /** Why it can't be read: picture, no-text, broken, encrypted, timeout, memory, unknown-layout or several-vehicles; null if it was read. */
  reason: string | null;
  /** The reading; null if there is none. */
  label: Label | null;
  /** Whether the prices add up; null if there is no reading. */
  proof: Proof | null;
  provenance: Provenance;
  /** With `include=text`: the lines of each page in reading order. */
  text?: Array<Array<string>>;
};

/** What the label says: text as printed, prices in integer cents, null if not on the label. */
export type Label = {
  /** Make in normal spelling. */
  make: string;
  /** The model line as printed. */
  model: string | null;
  /** Model year, if printed. */
  year: number | null;
  /** The country the label is for. */
  market: 'US' | 'CA';
  /** The language it is printed in. */
  language: 'en' | 'fr';
  /** Exterior color as printed. */
  exterior: Paint | null;
  /** The series line as printed, if there is one. */
  series?: string | null;
  /** Interior as printed. */
  interior: string | null;
  /** Seats as printed, if there is a line for them. */
  seats?: string | null;
  /** Engine as printed. */
  engine: string | null;
  /** Transmission as printed. */
  transmission: string | null;
  /** Point of final assembly as printed. */
  assembly: string | null;
  /** Port of entry of an imported vehicle, as printed. */
  portOfEntry?: string | null;
  /** State or province it was shipped to; never a dealer's name or street. */
  shipTo?: string | null;
  /** The price column. */
  prices: {
    /** The currency of every amount. */
    currency: 'USD' | 'CAD';
    /** Price of the vehicle without options. In cents of the label's currency. */
    base: number | null;
    /** Options and packages in printed order. */
    options: Array<OptionLine>;
    /** Savings, as the label calls them; negative. */
    discounts: Array<PriceLine>;
    /** Taxes printed on the label, such as the gas guzzler tax. */
    taxes: Array<PriceLine>;
    /** Other charges printed on the label. */
    fees: Array<PriceLine>;
    /** Destination charge. In cents of the label's currency. */
    destination: number | null;
    /** The printed total. In cents of the label's currency. */
    total: number | null;
  };
  /** Standard equipment in printed order. */
  standard: Array<{
    /** Heading, if the label has headings. */
    section: string | null;
    /** The lines below it. */
    items: Array<string>;
  }>;
  /** Fuel economy as printed. */
  fuelEconomy: {
    /** City. */
    city: number | null;
    /** Highway. */
    highway: number | null;
    /** Combined. */
    combined: number | null;
    /** The unit on the label: MPG, MPGe, L/100 km, Le/100 km. For a plug-in hybrid, the unit of its gasoline figures. */
    unit: string;
    /** Gallons per 100 miles; kilowatt-hours per 100 miles for an electric car. */
    per100: number | null;
    /** Annual fuel cost. In cents of the label's currency. */
    annualFuelCost: number | null;
    /** Fuel cost over five years compared with the average new vehicle; negative if the label says "save". In cents of the label's currency. */
    fiveYearCost: number | null;
    /** Fuel economy and greenhouse gas rating, from 1 to 10 (best). */
    greenhouseRating: number | null;
    /** Smog rating, from 1 to 10 (best). */
    smogRating: number | null;
    /** Grams of CO2 per mile; per kilometer on Canadian labels. */
    co2: number | null;
    /** Electric figures of electric cars and plug-in hybrids; null for other cars. */
    electric: {
      /** Combined, on electricity, in MPGe or Le/100 km. */
      combined: number | null;
      /** Kilowatt-hours per 100 miles. */
      per100: number | null;
      /** Electric range in miles; in kilometers on Canadian labels. */
      range: number | null;
      /** Hours to charge at 240 volts. */
      chargeHours: number | null;
    } | null;
  } | null;
  /** Government 5-star safety ratings; null if the label has no such box. */
  safety?: {
    /** Overall vehicle score: 1 to 5 stars, "not-rated", or null if it couldn't be read. */
    overall: Stars | null;
    /** Frontal crash, driver: 1 to 5 stars, "not-rated", or null if it couldn't be read. */
    frontalDriver: Stars | null;
    /** Frontal crash, passenger: 1 to 5 stars, "not-rated", or null if it couldn't be read. */
    frontalPassenger: Stars | null;
    /** Side crash, front seat: 1 to 5 stars, "not-rated", or null if it couldn't be read. */
    sideFront: Stars | null;
    /** Side crash, rear seat: 1 to 5 stars, "not-rated", or null if it couldn't be read. */
    sideRear: Stars | null;
    /** Rollover: 1 to 5 stars, "not-rated", or null if it couldn't be read. */
    rollover: Stars | null;
  } | null;
  /** The parts content box, if printed. */
  parts?: {
    /** US and Canadian parts content in percent. */
    usCanadian: number | null;
    /** Major sources of foreign parts content. */
    foreign: Array<{
      /** Country as printed. */
      country: string;
      /** Its share in percent. */
      percent: number;
    }>;
    /** Country of origin of the engine. */
    engine: string | null;
    /** Country of origin of the transmission. */
    transmission: string | null;
  } | null;
  /** Warranty terms as printed, one per line; null if none are printed. */
  warranty?: Array<string> | null;
  /** Field path (`exterior`, `prices.base`, `prices.options.3`) to its position on the page. */
  places: Record<string, Box>;
};

/** An option or package with its price and contents. */
export type OptionLine = {
  /** The line as printed. */
  name: string;
  /** Its price; negative for a credit, null if none is printed. In cents of the label's currency. */
  price: number | null;
  at?: Box;
  /** What the option contains, as printed below it. */
  children: Array<string>;
};

/** A line of the label with its price. */
export type PriceLine = {
  /** The line as printed. */
  name: string;
  /** Its price; negative for a credit, null if none is printed. In cents of the label's currency. */
  price: number | null;
  at?: Box;
};

/** A position on the label, in PDF points from the page's top left. */
export type Box = {
  /** Page, counted from 1. */
  page: number;
  /** Left edge. */
  x: number;
  /** Top edge. */
  y: number;
  /** Width. */
  width: number;
  /** Height. */
  height: number;
};

/** A rating of 1 to 5 stars, or "not-rated". */
export type Stars = number | 'not-rated';

/** Whether the figures on the label add up. */
export type Proof = {
  /** True if base, options, taxes, fees, destination and discounts add up to the printed total, to the cent. */
  closes: boolean;
  /** What the lines add up to. In cents of the label's currency. */
  sum: number | null;
  /** What the label prints as its total. In cents of the label's currency. */
  total: number | null;
  /** Sum minus total: 0 if the reading is right. In cents of the label's currency. */
  difference: number | null;
  /** A second check, if the label prints a total of its options. */
  options?: {
    /** The manufacturer's own sum of options, in cents. */
    printed: number;
    /** Ours, in cents. */
    sum: number;
    /** True if both are the same. */
    closes: boolean;
  };
  /** A third check, if city, highway and combined are printed. */
  fuelEconomy?: {
    /** As printed. */
    combined: number;
    /** From city and highway, 55 to 45. */
    computed: number;
    /** True if both agree. */
    closes: boolean;
  };
};

/** Where the label came from, and what read it. */
export type Provenance = {
  /** Where the label came from; `specimen` for our test labels. */
  source: string;
  /** The host it came from. */
  host: string;
  /** When we got it, UTC. */
  fetched: string;
  /** Size of the PDF. */
  bytes: number;
  /** SHA-256 of the PDF, hexadecimal. */
  sha256: string;
  /** The reader and its version. */
  reader: string;
  /** How many real labels of this maker the reader was tested on; 0 means only on drawings. */
  verifiedOn: number;
};

/** Every error, as RFC 9457 problem details. */
export type Problem = {
  /** URL of a page that explains this kind of problem. */
  type: string;
  /** The kind of problem in a few words; always the same for a reason. */
  title: string;
  /** The HTTP status code. */
  status: number;
  /** What is wrong this time and what to do. */
  detail: string;
  /** Always false. */
  ok: false;
  /** A stable code for programs. */
  reason: string;
  vin?: Vin;
  /** Seconds to wait before trying again, as in `Retry-After`. */
  retryAfter?: number;
  /** Identifies this request in our log, as in `X-Request-Id`. Include it if you report a problem. */
  requestId: string;
};

/** The VINs to decode. */
export type BatchRequest = {
  /** 1 to 50 VINs. Lower case is fine. */
  vins: Array<string>;
};

/** The results of a batch. */
export type BatchResponse = {
  /** Always true; false in problems. */
  ok: true;
  /** One result per VIN, in the order sent. */
  results: Array<BatchResult>;
};

/** One VIN of a batch, or why it couldn't be decoded. */
export type BatchResult = BatchDecoded | BatchFailed;

/** One VIN of a batch, as in a lookup with `sticker=false`. */
export type BatchDecoded = {
  vin: Vin;
  /** Warnings, as in a lookup. Null if there are none. */
  warning: string | null;
  /** The decoded vehicle; null if the decoder doesn't know the VIN at all. */
  vehicle: Vehicle | null;
  windowSticker: WindowSticker;
};

/** One entry of a batch that couldn't be decoded. */
export type BatchFailed = {
  /** What you sent, up to 100 characters. */
  vin: string;
  /** Why there is no result for this VIN. */
  error: {
    /** A stable code, as in problems. */
    reason: string;
    /** What is wrong. */
    detail: string;
  };
};

/** How each label source is doing, based on real traffic in the last 24 hours. */
export type StatusReport = {
  /** Always true: the service itself is up. */
  ok: true;
  /** When this report was generated; at most a few seconds ago. */
  generated: string;
  /** The status in a few words. */
  headline: string;
  /** The same in sentences. */
  summary: string;
  /** Labels in our store; they are served whatever a source does. */
  labelsHeld: number;
  /** Month of the decoder's data. */
  vpic: string;
  /** Every label source. */
  sources: Array<{
    /** Id of the label source. */
    source: string;
    /** Its name. */
    name: string;
    /** The makes whose labels it publishes. */
    makes: Array<string>;
    /** True if labels come through a dealer platform, which could stop without notice. */
    thirdParty: boolean;
    /** Model years with labels, as text. */
    years: string;
    /** True if we can read its labels; false if they are pictures or there is no reader yet. */
    readable: boolean;
    /** answering; quiet: no requests in 24 hours; slow; unsteady: at least one in ten requests fails; refusing and failing: at least half do; resting: paused automatically because it refuses us; off: switched off by the operator. Based on the last three hours. */
    state: 'answering' | 'quiet' | 'slow' | 'unsteady' | 'refusing' | 'failing' | 'resting' | 'off';
    /** Why it is off or resting; null otherwise. */
    reason: string | null;
    /** Since when it is off or resting; null otherwise. */
    since: string | null;
    /** When a resting source is tried again; null otherwise. */
    nextTry: string | null;
    /** When it last sent a label, to the minute; null if unknown. */
    lastWorked: string | null;
    /** Totals of the last 24 hours; the median is weighted over the hours. */
    day: {
      /** Requests sent to the source. */
      asked: number;
      /** Responses with a label. */
      label: number;
      /** Responses that there is no label. */
      none: number;
      /** Requests it refused. */
      refused: number;
      /** Requests without a usable response. */
      failed: number;
      /** Median response time in milliseconds; null if there were no requests. */
      medianMs: number | null;
      /** Share of usable responses, 0 to 1; null if there were no requests. */
      answered: number | null;
    };
    /** The last 24 hours, oldest first, the current one last. */
    hours: Array<{
      /** Start of the hour, UTC. */
      start: string;
      /** Requests sent to the source. */
      asked: number;
      /** Responses with a label. */
      label: number;
      /** Responses that there is no label. */
      none: number;
      /** Requests it refused. */
      refused: number;
      /** Requests without a usable response. */
      failed: number;
      /** Median response time in milliseconds; null if there were no requests. */
      medianMs: number | null;
      /** True if the source was switched off at the end of the hour. */
      off: boolean;
    }>;
  }>;
  /** Recent changes, newest first. */
  changes: Array<{
    /** When. */
    at: string;
    /** Id of the label source. */
    source: string;
    /** Its name. */
    name: string;
    /** Its new state. */
    state: 'on' | 'off' | 'resting';
    /** Why; null if no reason was given. */
    reason: string | null;
    /** The same as a sentence. */
    text: string;
  }>;
};

/** What an error means and what to do about it. */
export type ErrorExplanation = {
  /** The stable reason code. */
  reason: string;
  /** The HTTP status of the error. */
  status: number;
  /** The problem in a few words. */
  title: string;
  /** What it means. */
  means: string;
  /** What to do about it. */
  todo: string;
};

/** Whether the service works. */
export type Health = {
  /** Whether the service is OK. */
  ok: boolean;
  /** Whether labels can be stored. */
  store?: string;
  /** Month of the decoder's data. */
  vpic?: string;
};

/** The stable codes of problems; `/errors/{reason}` explains each. */
export type ServiceReason =
  | 'bad-vin'
  | 'bad-parameter'
  | 'bad-request'
  | 'not-found'
  | 'make-not-supported'
  | 'no-label'
  | 'source-off'
  | 'no-preview'
  | 'method-not-allowed'
  | 'request-timeout'
  | 'precondition-failed'
  | 'uri-too-long'
  | 'range-not-satisfiable'
  | 'expectation-failed'
  | 'too-many-requests'
  | 'ask-limit'
  | 'headers-too-large'
  | 'withdrawn'
  | 'internal'
  | 'source-failed'
  | 'source-refused'
  | 'still-asking'
  | 'busy'
  | 'network'
  | 'store-unavailable';
