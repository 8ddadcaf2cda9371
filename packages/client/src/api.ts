// Made by tools/client-types.ts from /openapi.json. Change the API, not this file.

/** The vehicle identification number: 17 characters, upper case, without the letters I, O and Q. */
export type Vin = string;

/** The decoded vehicle, and whether its label is there. */
export type VinResponse = {
  /** Always true here; problems carry false. */
  ok: true;
  vin: Vin;
  /** What to know about this answer, in sentences: a wrong check digit, a source that failed. Null when all is well. */
  warning: string | null;
  /** The decoded vehicle; null when the decoder does not recognise the VIN at all. */
  vehicle: Vehicle | null;
  windowSticker: WindowSticker;
};

/** The vehicle as NHTSA's vPIC decodes its VIN, in vPIC's own words. Numbers are carried as strings; null where the VIN does not tell. */
export type Vehicle = {
  /** Model year, four digits in a string. */
  year: string | null;
  /** Make in capitals, as vPIC prints it. */
  make: string | null;
  /** Model. */
  model: string | null;
  /** Trim level, where the VIN tells it. */
  trim: string | null;
  /** Body style. */
  bodyClass: string | null;
  /** Driven wheels. */
  driveType: string | null;
  /** Number of doors, in a string. */
  doors: string | null;
  /** The engine, as far as the VIN tells it. */
  engine: {
    /** Displacement in litres with the suffix L. */
    displacement: string | null;
    /** Number of cylinders, in a string. */
    cylinders: string | null;
    /** Primary fuel. */
    fuel: string | null;
  };
  /** Kind of transmission. */
  transmission: string | null;
  /** Where it was built: city, state or province, country; what is not known is left out. */
  plant: string | null;
  /** The registered manufacturer. */
  manufacturer: string | null;
};

/** What is known of the manufacturer's original window sticker (label) for this VIN. */
export type WindowSticker = {
  /** True when the make publishes labels at all. */
  supported: boolean;
  /** True when a label exists for this VIN, false when there is none, null when it is not known: nobody looked, or the source could not be asked. */
  available: boolean | null;
  /** Size of the PDF in bytes, when we hold it. */
  bytes: number | null;
  /** Address of the manufacturer's PDF for this VIN; null when asking there leads nowhere. */
  pdf: string | null;
  /** Address of a page about this VIN for people. */
  page: string;
  reason?: StickerReason;
  /** Present when asking again makes sense: after this many seconds. The `Retry-After` header says the same. */
  retryAfter?: number;
  /** Present when we hold the label. `original`: the manufacturer's own file. `dealer-copy`: a dealer platform's copy, which may be stamped "Unofficial Copy" and may carry no VIN in its text. A specimen is our own drawing: its `kind` is that of the labels it stands for, its `sourceHost` is `specimen`. */
  kind?: 'original' | 'dealer-copy';
  /** Present when we hold the label: the host it came from. */
  sourceHost?: string;
  /** Present only when the reason is on our side: we have switched the source off, or the label was withdrawn. */
  note?: string;
  paint?: Paint;
};

/** Present when `available` is null or false: why. `not-asked` comes with `sticker=false`; the others are the codes of problems, which `/errors/{reason}` explains. */
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

/** Exterior colour as the label prints it. */
export type Paint = {
  /** Exterior colour exactly as the label prints it. */
  color: string;
  /** Factory paint code, for makes whose label prints one; otherwise null. */
  code: string | null;
};

/** The manufacturer's label, read: colour, options, prices, and a proof that they add up. */
export type LabelResponse = {
  /** Always true here. */
  ok: true;
  vin: Vin;
  /** False when the label cannot be read; `reason` says why. */
  readable: boolean;
  /** Why it cannot be read: picture, no-text, broken, encrypted, timeout, memory, unknown-layout or several-vehicles; null when it was read. */
  reason: string | null;
  /** The reading; null when there is none. */
  label: Label | null;
  /** The arithmetic; null when there is no reading. */
  proof: Proof | null;
  provenance: Provenance;
  /** With `include=text`: the lines of each page in reading order. */
  text?: Array<Array<string>>;
};

/** What the label says: text as printed, money in integer cents, null where it does not say. */
export type Label = {
  /** Make, as a person writes it. */
  make: string;
  /** The model line as printed. */
  model: string | null;
  /** Model year, where printed. */
  year: number | null;
  /** The country the label was made for. */
  market: 'US' | 'CA';
  /** The language it is printed in. */
  language: 'en' | 'fr';
  /** Exterior colour as printed. */
  exterior: Paint | null;
  /** The series line as printed, where there is one. */
  series?: string | null;
  /** Interior as printed. */
  interior: string | null;
  /** Seats as printed, where there is a line for them. */
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
    /** Savings that the label calls so; negative. */
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
    /** Heading, where the label has headings. */
    section: string | null;
    /** The lines below it. */
    items: Array<string>;
  }>;
  /** Fuel economy as printed. */
  fuelEconomy: {
    /** In town. */
    city: number | null;
    /** On the highway. */
    highway: number | null;
    /** Combined. */
    combined: number | null;
    /** As the label counts: MPG, MPGe, L/100 km, Le/100 km. For a plug-in hybrid, the unit of its gasoline figures. */
    unit: string;
    /** Gallons per 100 miles; kilowatt-hours per 100 miles for an electric car. */
    per100: number | null;
    /** Annual fuel cost. In cents of the label's currency. */
    annualFuelCost: number | null;
    /** Fuel cost over five years compared with the average new vehicle; negative where the label says "save". In cents of the label's currency. */
    fiveYearCost: number | null;
    /** Fuel economy and greenhouse gas rating, from 1 to 10 (best). */
    greenhouseRating: number | null;
    /** Smog rating, from 1 to 10 (best). */
    smogRating: number | null;
    /** Grams of CO2 per mile; per kilometre on Canadian labels. */
    co2: number | null;
    /** Electric figures of electric cars and plug-in hybrids; null for other cars. */
    electric: {
      /** Combined, on electricity, in MPGe or Le/100 km. */
      combined: number | null;
      /** Kilowatt-hours per 100 miles. */
      per100: number | null;
      /** Electric range in miles; in kilometres on Canadian labels. */
      range: number | null;
      /** Hours to charge at 240 volts. */
      chargeHours: number | null;
    } | null;
  } | null;
  /** Government 5-star safety ratings; null where the label has no such box. */
  safety?: {
    /** Overall vehicle score: 1 to 5 stars, "not-rated", or null where it couldn't be read. */
    overall: Stars | null;
    /** Frontal crash, driver: 1 to 5 stars, "not-rated", or null where it couldn't be read. */
    frontalDriver: Stars | null;
    /** Frontal crash, passenger: 1 to 5 stars, "not-rated", or null where it couldn't be read. */
    frontalPassenger: Stars | null;
    /** Side crash, front seat: 1 to 5 stars, "not-rated", or null where it couldn't be read. */
    sideFront: Stars | null;
    /** Side crash, rear seat: 1 to 5 stars, "not-rated", or null where it couldn't be read. */
    sideRear: Stars | null;
    /** Rollover: 1 to 5 stars, "not-rated", or null where it couldn't be read. */
    rollover: Stars | null;
  } | null;
  /** The parts content box, where printed. */
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
  /** Warranty terms as printed, one per line; null where none are printed. */
  warranty?: Array<string> | null;
  /** Field path (`exterior`, `prices.base`, `prices.options.3`) to the place it was read at. */
  places: Record<string, Box>;
};

/** An option or package with its price and contents. */
export type OptionLine = {
  /** The line as printed. */
  name: string;
  /** Its price; a credit is negative, null where none is printed. In cents of the label's currency. */
  price: number | null;
  at?: Box;
  /** What the option contains, as printed below it. */
  children: Array<string>;
};

/** A line of the label with its price. */
export type PriceLine = {
  /** The line as printed. */
  name: string;
  /** Its price; a credit is negative, null where none is printed. In cents of the label's currency. */
  price: number | null;
  at?: Box;
};

/** A place on the label, in PDF points from the page's top left. */
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

/** Whether the reading proves itself by its own arithmetic. */
export type Proof = {
  /** True when base, options, taxes, fees, destination and discounts add up to the printed total, to the cent. */
  closes: boolean;
  /** What the lines add up to. In cents of the label's currency. */
  sum: number | null;
  /** What the label prints as its total. In cents of the label's currency. */
  total: number | null;
  /** Sum minus total: 0 when the reading is right. In cents of the label's currency. */
  difference: number | null;
  /** A second proof, where the label prints a sum of its options. */
  options?: {
    /** The manufacturer's own sum of options, in cents. */
    printed: number;
    /** Ours, in cents. */
    sum: number;
    /** True when both are the same. */
    closes: boolean;
  };
  /** A third proof, where city, highway and combined are printed. */
  fuelEconomy?: {
    /** As printed. */
    combined: number;
    /** From city and highway, 55 to 45. */
    computed: number;
    /** True when both agree. */
    closes: boolean;
  };
};

/** Where the label came from, and what read it. */
export type Provenance = {
  /** Where the label came from; `specimen` for ours. */
  source: string;
  /** The host that answered. */
  host: string;
  /** When we got it, UTC. */
  fetched: string;
  /** Size of the PDF. */
  bytes: number;
  /** SHA-256 of the PDF, hexadecimal. */
  sha256: string;
  /** What read it, with its version. */
  reader: string;
  /** How many real labels of this maker the reader was checked against; 0 means drawings only. */
  verifiedOn: number;
};

/** Every error, as RFC 9457 problem details. */
export type Problem = {
  /** URL of a page that explains this kind of problem. */
  type: string;
  /** The kind of problem in a few words; the same each time. */
  title: string;
  /** The HTTP status code. */
  status: number;
  /** What is wrong this time and what to do, for people. */
  detail: string;
  /** Always false here. */
  ok: false;
  /** A stable code for programs. */
  reason: string;
  vin?: Vin;
  /** Seconds to wait before asking again, as in `Retry-After`. */
  retryAfter?: number;
  /** Identifies this request in our log, as in `X-Request-Id`. Quote it when you report a problem. */
  requestId: string;
};

/** The VINs to decode. */
export type BatchRequest = {
  /** 1 to 50 VINs. Lower case is fine. */
  vins: Array<string>;
};

/** The results of a batch. */
export type BatchResponse = {
  /** Always true here; problems carry false. */
  ok: true;
  /** One result per VIN, in the order sent. */
  results: Array<BatchResult>;
};

/** One VIN of a batch, or why it could not be answered. */
export type BatchResult = BatchDecoded | BatchFailed;

/** One VIN of a batch: what a lookup with `sticker=false` answers. */
export type BatchDecoded = {
  vin: Vin;
  /** As in a lookup: what to know about this answer. Null when all is well. */
  warning: string | null;
  /** The decoded vehicle; null when the decoder does not recognise the VIN at all. */
  vehicle: Vehicle | null;
  windowSticker: WindowSticker;
};

/** One VIN of a batch that could not be answered. */
export type BatchFailed = {
  /** What was sent, up to 100 characters. */
  vin: string;
  /** Why there is no answer for this one. */
  error: {
    /** A stable code, as problems have it. */
    reason: string;
    /** What is wrong, for people. */
    detail: string;
  };
};

/** How each label source answers, from the real traffic of the last 24 hours. */
export type StatusReport = {
  /** Always true: the service itself is up. */
  ok: true;
  /** When this was put together; a few seconds ago at most. */
  generated: string;
  /** The answer in a few words. */
  headline: string;
  /** The same in sentences. */
  summary: string;
  /** Labels that we hold; they are served whatever a source does. */
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
    /** True when labels come through a platform of dealers that may stop any day. */
    thirdParty: boolean;
    /** Model years with labels, in words. */
    years: string;
    /** True when its labels are text that we read; false when they are pictures or nobody has written a reader yet. */
    readable: boolean;
    /** answering; quiet: nobody asked in 24 hours; slow; unsteady: one answer in ten or more fails; refusing and failing: at least half do; resting: left alone for a while because it refuses; off: switched off by the operator. Judged by the last three hours. */
    state: 'answering' | 'quiet' | 'slow' | 'unsteady' | 'refusing' | 'failing' | 'resting' | 'off';
    /** Why it is off or resting, in words; null otherwise. */
    reason: string | null;
    /** Since when it is off or resting; null otherwise. */
    since: string | null;
    /** When a resting source is tried again; null otherwise. */
    nextTry: string | null;
    /** When it last sent a label, to the minute; null when that is not known. */
    lastWorked: string | null;
    /** The last 24 hours together; the median is that of the hours, by their weight. */
    day: {
      /** How often the source was asked. */
      asked: number;
      /** Answers that were a label. */
      label: number;
      /** Answers that there is none. */
      none: number;
      /** Times it turned us away. */
      refused: number;
      /** Times there was no usable answer. */
      failed: number;
      /** Median time of an answer in milliseconds; null when nobody asked. */
      medianMs: number | null;
      /** Share of usable answers, 0 to 1; null when nobody asked. */
      answered: number | null;
    };
    /** The last 24 hours, oldest first, the current one last. */
    hours: Array<{
      /** Beginning of the hour, UTC. */
      start: string;
      /** How often the source was asked. */
      asked: number;
      /** Answers that were a label. */
      label: number;
      /** Answers that there is none. */
      none: number;
      /** Times it turned us away. */
      refused: number;
      /** Times there was no usable answer. */
      failed: number;
      /** Median time of an answer in milliseconds; null when nobody asked. */
      medianMs: number | null;
      /** True when the source was switched off at the end of the hour. */
      off: boolean;
    }>;
  }>;
  /** What happened lately, newest first. */
  changes: Array<{
    /** When. */
    at: string;
    /** Id of the label source. */
    source: string;
    /** Its name. */
    name: string;
    /** What it became. */
    state: 'on' | 'off' | 'resting';
    /** Why, in words; null when nobody said. */
    reason: string | null;
    /** The same as a sentence. */
    text: string;
  }>;
};

/** What an error means and what to do about it. */
export type ErrorExplanation = {
  /** The stable code. */
  reason: string;
  /** The HTTP status it comes with. */
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
  /** Whether all is well. */
  ok: boolean;
  /** Whether labels can be kept. */
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
