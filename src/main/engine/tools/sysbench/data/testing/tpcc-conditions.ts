/** Initial rows per district, as set by the option `customers`. */
interface Made {
  customers: number;
}

/**
 * Queries that count rows violating a consistency condition of TPC-C (standard specification 5.11, 3.3.2), by its number: 0 if it holds. Condition 11
 * applies to new data; each delivery increases the difference by one, and customers count deliveries as well. The last two are not in the
 * specification: they detect lost updates of customers and stock.
 */
export function tpccConditions({ customers }: Made): Readonly<Record<string, string>> {
  const named = (kind: string): string => `kp_tpcc_${kind}1`;
  const district = `FROM ${named('district')} d WHERE`;
  const of = (kind: string, key: string): string =>
    `FROM ${named(kind)} WHERE ${key}_w_id = d_w_id AND ${key}_d_id = d_id`;
  const customer = `FROM ${named('customer')} c WHERE`;
  const paid = (what: string): string =>
    `(SELECT ${what} FROM ${named('history')} h WHERE h_c_w_id = c_w_id AND h_c_d_id = c_d_id AND h_c_id = c_id)`;
  const sameOrder = 'o_w_id = ol_w_id AND o_d_id = ol_d_id AND o_id = ol_o_id';
  const delivered = `(SELECT COALESCE(SUM(ol.amount), 0) FROM ${named('orders')} JOIN ${named('order_line')} ol ON ${sameOrder} WHERE o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id AND delivered_at IS NOT NULL)`;
  const ordered = `FROM ${named('order_line')} WHERE supply_w_id = s_w_id AND ol_i_id = s_i_id AND ol_o_id > ${customers}`;
  const deliveredFirst = customers - Math.floor(customers * 0.3);
  const counts: Record<string, string> = {
    1: `FROM ${named('warehouse')} w WHERE w.ytd <> (SELECT SUM(d.ytd) FROM ${named('district')} d WHERE d_w_id = w_id)`,
    2: `${district} next_o_id - 1 <> (SELECT MAX(o_id) ${of('orders', 'o')}) OR next_o_id - 1 <> COALESCE((SELECT MAX(no_o_id) ${of('new_order', 'no')}), next_o_id - 1)`,
    3: `FROM (SELECT MAX(no_o_id) - MIN(no_o_id) + 1 AS span, COUNT(*) AS there FROM ${named('new_order')} GROUP BY no_w_id, no_d_id) n WHERE span <> there`,
    4: `${district} (SELECT SUM(line_count) ${of('orders', 'o')}) <> (SELECT COUNT(*) ${of('order_line', 'ol')})`,
    5: `FROM ${named('orders')} LEFT JOIN ${named('new_order')} ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id WHERE (carrier_id IS NULL) <> (no_o_id IS NOT NULL)`,
    6: `FROM ${named('orders')} o WHERE line_count <> (SELECT COUNT(*) FROM ${named('order_line')} WHERE ${sameOrder})`,
    7: `FROM ${named('order_line')} LEFT JOIN ${named('orders')} ON ${sameOrder} WHERE o_id IS NULL OR (delivered_at IS NULL) <> (carrier_id IS NULL)`,
    8: `FROM ${named('warehouse')} w WHERE w.ytd <> (SELECT SUM(amount) FROM ${named('history')} WHERE h_w_id = w_id)`,
    9: `${district} d.ytd <> (SELECT SUM(amount) ${of('history', 'h')})`,
    10: `${customer} balance <> ${delivered} - ${paid('SUM(amount)')}`,
    11: `${district} (SELECT COUNT(*) ${of('orders', 'o')}) - (SELECT COUNT(*) ${of('new_order', 'no')}) <> ${deliveredFirst} + (SELECT SUM(deliveries) ${of('customer', 'c')})`,
    12: `${customer} balance + ytd_payment <> ${delivered}`,
    payments: `${customer} payments <> ${paid('COUNT(*)')}`,
    stock: `FROM ${named('stock')} s WHERE s.order_count <> (SELECT COUNT(*) ${ordered}) OR s.ytd <> (SELECT COALESCE(SUM(quantity), 0) ${ordered}) OR s.quantity NOT BETWEEN 10 AND 100`,
  };
  return Object.fromEntries(Object.entries(counts).map(([name, from]) => [name, `SELECT COUNT(*) ${from}`]));
}
