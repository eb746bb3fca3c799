from epanet import toolkit

toolkit.runproject(toolkit.createproject(), "hillside.inp", "hillside.rpt", "", None)
